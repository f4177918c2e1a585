/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE `idempotency_keys` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `idempotency_key` varchar(64) NOT NULL,
  `job_id` varchar(64) DEFAULT NULL,
  `status` enum('processing','completed') NOT NULL,
  `locked_at` datetime(3) DEFAULT NULL,
  `completed_at` datetime(3) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
INSERT INTO `idempotency_keys` VALUES (1,'it\'s; (one)','5','completed','2026-03-01 10:00:00.000','2026-03-01 10:00:01.000'),
(2,'two','6','processing','2026-03-01 10:00:00.000',NULL),(3,'it\'s; (one)','5','completed','2026-03-01 10:10:00.000','2026-03-01 10:10:01.000');
INSERT INTO `idempotency_keys` VALUES (4,'four','7','completed','2026-03-01 10:00:00.000','2026-03-01 10:00:01.000');
