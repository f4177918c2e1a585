/**
 * The applications the lab plays: names of queues, jobs, processes and hosts, one set for each choice of words, so that no
 * two recordings look as if one team had written them. `shownPid` is what a container prints: the same pid everywhere.
 */
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
};
