/**
 * The applications the lab plays: names of queues, jobs, processes and hosts, one set for each choice of words, so that no
 * two recordings look as if one team had written them. `shownPid` is what a container prints: the same pid everywhere.
 * `alsoQueue`: every worker process works on that queue too, and half of the background jobs go there.
 */
import { createHash } from 'node:crypto';

/** A UUID for each number, the same in every recording. */
function uuid(n) {
  const hex = createHash('md5').update(`capture ${n}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

export const APPLICATIONS = {
  a: {
    service: 'mailer',
    queue: 'mail',
    job: 'send-invoice',
    ref: (n) => `INV-${1040 + n}`,
    workers: ['mailer-1', 'mailer-2', 'mailer-3', 'mailer-4'],
    hosts: ['mailer-7c9f', 'mailer-b41e', 'mailer-d203', 'mailer-e8a7'],
    namesWorkers: true,
  },
  b: {
    service: 'billing',
    queue: 'payments',
    job: 'charge-card',
    ref: (n) => `ord_${(7919 * (n + 11)).toString(36)}`,
    workers: ['billing-x2x4q', 'billing-9kmvt', 'billing-p7d2c', 'billing-zz8rw'],
    hosts: ['billing-5d8c7b9f6-x2x4q', 'billing-5d8c7b9f6-9kmvt', 'billing-5d8c7b9f6-p7d2c', 'billing-5d8c7b9f6-zz8rw'],
    shownPid: 1,
  },
  c: {
    service: 'media',
    queue: 'render',
    job: 'render-clip',
    ref: (n) => `clip-${300 + n}`,
    customIds: true,
    workers: ['media-01', 'media-02', 'media-03', 'media-04'],
    hosts: ['media-01', 'media-02', 'media-03', 'media-04'],
    namesWorkers: true,
  },
  d: {
    service: 'crm-sync',
    queue: 'contacts',
    job: 'sync-contact',
    ref: (n) => `c${50210 + n}`,
    workers: ['sync-a', 'sync-b', 'sync-c', 'sync-d'],
    hosts: ['ip-10-0-3-17', 'ip-10-0-4-90', 'ip-10-0-3-201', 'ip-10-0-5-8'],
  },
  e: {
    service: 'paint',
    queue: 'Paint',
    job: 'cars',
    ref: (n) => `car-${n}`,
    workers: ['paint.1', 'paint.2', 'paint.3', 'paint.4'],
    hosts: ['paint.1', 'paint.2', 'paint.3', 'paint.4'],
  },
  f: {
    service: 'AudioConsumer',
    queue: 'audio',
    job: 'transcode',
    ref: (n) => `track_${n}.flac`,
    workers: ['audio-0', 'audio-1', 'audio-2', 'audio-3'],
    hosts: ['audio-0', 'audio-1', 'audio-2', 'audio-3'],
    shownPid: 7,
    namesWorkers: true,
  },
  g: {
    service: 'thumbs',
    queue: 'thumbnails',
    job: 'resize',
    ref: (n) => `img${n}.png`,
    workers: ['thumbs-0', 'thumbs-1', 'thumbs-2', 'thumbs-3'],
    hosts: ['node-a', 'node-b', 'node-c', 'node-d'],
  },
  h: {
    service: 'notifier',
    queue: 'emails',
    alsoQueue: 'digests',
    job: 'welcome',
    ref: (n) => `user-${880 + n}`,
    workers: ['notifier-web-1', 'notifier-web-2', 'notifier-web-3', 'notifier-web-4'],
    hosts: ['3f1c9a02be71', '8d40e6c7715f', 'b92e07d1a3c4', 'e60a5f8872bd'],
    shownPid: 1,
  },
  i: {
    service: 'ledger',
    queue: 'ledger-sync',
    job: 'reconcile',
    ref: (n) => `acct_${600 + n}`,
    workers: ['ledger-77f6-abcde', 'ledger-77f6-fghij', 'ledger-77f6-klmno', 'ledger-77f6-pqrst'],
    hosts: ['ledger-77f6-abcde', 'ledger-77f6-fghij', 'ledger-77f6-klmno', 'ledger-77f6-pqrst'],
    shownPid: 1,
    namesWorkers: true,
  },
  j: {
    service: 'capture',
    queue: '{captures}',
    job: 'capture.settle',
    ref: uuid,
    customIds: true,
    workers: ['capture-a', 'capture-b', 'capture-c', 'capture-d'],
    hosts: ['ip-172-31-8-4', 'ip-172-31-9-77', 'ip-172-31-8-91', 'ip-172-31-10-3'],
  },
  k: {
    service: 'PdfProcessor',
    queue: 'pdf',
    job: 'render',
    ref: (n) => `shop:order:${4700 + n}`,
    customIds: true,
    workers: ['pdf-worker-1', 'pdf-worker-2', 'pdf-worker-3', 'pdf-worker-4'],
    hosts: ['pdf-worker-1', 'pdf-worker-2', 'pdf-worker-3', 'pdf-worker-4'],
    shownPid: 17,
  },
  l: {
    service: 'export-service',
    queue: 'exports_v2',
    job: 'warehouse-export',
    ref: (n) => `exp-2026-${n}`,
    workers: ['export-service-1', 'export-service-2', 'export-service-3', 'export-service-4'],
    hosts: ['exp-host-1', 'exp-host-2', 'exp-host-3', 'exp-host-4'],
    namesWorkers: true,
  },
};
