import { definePhrases } from './define-phrases.js';

/** A worker has begun to go. */
export const CLOSING_WORDS =
  /\bshutting down\b|\bshut(?:ting)? ?down (?:in progress|initiated|started|requested|begins|gracefully)\b|\b(?:graceful|gracefully)\b.{0,20}\b(?:shut|stop|clos|exit|terminat)|\b(?:closing|draining|stopping|terminating|pausing)(?: (?:the|all|bullmq|bull|our|\d+|\w+)){0,2} (?:workers?|queues?|consumers?|processors?|jobs?|app|application|server|process|service)\b|\bworkers?\b.{0,40}\b(?:closing|is closing|draining|stopping|shutting down|will close)\b|\bbegin(?:ning)? shutdown\b|\bstarting (?:graceful )?shutdown\b|\bwaiting for (?:\d+ |active |running |current |in-?flight |all ){1,3}(?:jobs?|tasks?|work)\b.{0,30}\b(?:finish|complete|end|drain|done)|\bworkers?\b.{0,40}\b(?:exiting|going down)\b|[,;:] ?(?:draining|closing|stopping|exiting|terminating)\b|^\W*(?:closing|draining|stopping|exiting|shutdown)(?: queue)?\W*$/;

/** A worker process comes, is told to go, and goes. */
export const workerLife = definePhrases({
  name: 'worker-life',
  mark: /sig(?:term|int|hup|quit|usr2|kill)|signal|shut|clos|drain|stop|exit|bye|going down|ready|start|listen|online|waiting for|up and|initiali|boot|running|register|[._:-](?:up|down)\b|^\W*(?:worker|consumer|processor)s? (?:is |are |now )?up\b/,
  phrases: [
    {
      kind: 'worker-signal',
      on: 'as-written',
      says: /\bsig(?:term|int|hup|quit|usr2)\b/,
      unless:
        /\bexit(?:ed|ing|s)?\b|terminated by|killed by|child (?:process )?|signal: ?sig|with signal|via signal|on sig\w+ (?:we|will)|code:? ?\d|handlers? (?:installed|registered)|register/,
    },
    {
      kind: 'worker-signal',
      says: /\b(?:received|caught|got|handling) (?:a |the )?(?:termination|shutdown|stop|kill|interrupt) signal\b/,
    },
    {
      kind: 'worker-closed',
      says: /\b(?:workers?|queues?|connections?|consumers?|processors?|server|app|application|everything|process|service|shut ?down|close|drain)\b.{0,60}?\b(?:closed|shut down|stopped|complete|completed|finished|done|drained|terminated|disconnected)\b|\b(?:closed|stopped|shut down|disconnected)(?: (?:the|all|bullmq|bull|\w+))? (?:workers?|consumers?|processors?)\b|\bshut ?down (?:complete|completed|finished|done|gracefully)\b|\b(?:worker|app|service|process|consumer)[._:-](?:down|closed|stopped|exit(?:ed)?)\b|^\W*(?:bye|goodbye|shut down|closed|stopped|shutdown complete)\W*$/,
      unless:
        /\bconnection (?:is |was )?closed\b|\bredis\b|\bsocket\b|\b(?:database|mongo|postgres|http|browser|page|file)\b/,
    },
    {
      kind: 'worker-closing',
      on: 'as-written',
      says: CLOSING_WORDS,
    },
    {
      kind: 'worker-ready',
      // Only spaces, quotes and brackets part its names: were ':' another such mark, a row of forty would take a minute.
      says: /\b(?:workers?|consumers?|processors?|listeners?)\b[^\s["'`(\]]{0,80}?(?:[ ["'`(]{1,3}[^\s["'`(]{1,80}){0,4}?[\])"'`:,>\s-]+(?:is |are |was |has |has been |now |is now |up and )?(?:ready|started|starting|listening|online|running|up|initiali[sz]ed|registered|connected and ready|created|booted|alive|active|waiting for jobs?|polling)\b|\b(?:started|starting|launched|initiali[sz]ed|registered|created|booted|spawned)(?: \S{1,60}){0,4}? (?:workers?|consumers?|processors?)\b|\b(?:waiting|listening|polling|ready) (?:for|on|to (?:process|consume|receive|accept))(?: (?:new|incoming|more|the|\w+)){0,2} (?:jobs?|tasks?|work|messages?|queues?)\b|^\W*(?:ready|listening|online)\W*$|^\W*(?:worker|consumer|processor)s? (?:is |are |now )?up\b(?! to\b)/,
      unless: /\b(?:stop|clos|shut|fail|exit|crash)\w*|\bthreads?\b/,
    },
    {
      // The process itself comes up: told once in its life, so a second time is a restart.
      kind: 'worker-ready',
      says: /\b(?:nest )?(?:application|app|service|server|process) (?:is |has |was )?(?:now |successfully )?(?:started|ready|booted|up|running|online|listening)\b|\b(?:worker|app|service|server|process)[._:-](?:up|started|ready|boot(?:ed)?|online|init(?:ialized)?)\b|\b(?:starting|booting) (?:nest )?(?:application|app|service|server)\b|^\W*boot(?:ed|ing)?\W*$/,
      unless: /\b(?:stop|clos|shut|fail|exit|crash)\w*|\bthreads?\b|\bjobs?\b/,
    },
  ],
});
