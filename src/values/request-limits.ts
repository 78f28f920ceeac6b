const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * 1024;

/** Of requests, their answers, and what is sent without one. "Ours" is explained in limits.ts. */
export const REQUEST_LIMITS = {
  page: Object.freeze({
    /** Items of one page; outside is an error, not a silent clamp. */
    minSize: 1,
    maxSize: 100,
    defaultSize: 50,
  }),
  search: Object.freeze({
    /** Ours, characters (code points) of what is searched for, after trimming. */
    minCharacters: 2,
    maxCharacters: 100,
    /** Ours, characters of a text that a list is filtered by. */
    filterCharacters: 200,
    /** Ours, items that may be passed over by counting; cursors reach further. */
    maxOffset: 1_000,
    /** Ours, results of one kind that are put in order, and results that are counted. */
    candidates: 1_000,
    /** Ours: newest notifications of the caller that are searched. */
    notifications: 5_000,
    /** Ours: newest incidents and document versions of each organization in which two characters are looked for. */
    recordsForTwoCharacters: 1_000,
    /** Ours: the same of all organizations together, which has an equal part of each. */
    allRecordsForTwoCharacters: 20_000,
    /** Ours, characters of a snippet. */
    snippetCharacters: 160,
  }),
  table: Object.freeze({
    /** Ours, bytes of a table that is imported, and its rows without the names of its columns. */
    maxBytes: 5 * MEBIBYTE,
    rows: 2_000,
  }),
  archive: Object.freeze({
    /** Ours, bytes of an archive of documents, and of all that it has packed, which may be so many times as large. */
    maxBytes: 250 * MEBIBYTE,
    maxUnpackedBytes: 1024 * MEBIBYTE,
    ratio: 100,
    /** Ours, bytes unpacked that may be any number of times as large. */
    ratioFromBytes: 10 * MEBIBYTE,
    /** Ours: entries of an archive, and documents that its manifest names. */
    entries: 5_000,
    documents: 1_000,
    /** Ours, bytes of its manifest. */
    manifestBytes: 2 * MEBIBYTE,
  }),
  importJob: Object.freeze({
    /** Ours, of an import by a job: rows of a table and bytes of it, documents of an archive, invitations. */
    rows: 10_000,
    tableBytes: 10 * MEBIBYTE,
    documents: 10_000,
    entries: 12_000,
    manifestBytes: 8 * MEBIBYTE,
    invitations: 1_000,
    /** Ours: jobs of one organization that have not ended. */
    perOrganization: 10,
    /** Ours, days that a job is kept after its end. */
    retentionDays: 7,
    /** Ours: attempts, a minute or more apart, that may do no row before a job is given up. */
    attempts: 60,
  }),
  idempotency: Object.freeze({
    /** Ours, characters of an `Idempotency-Key`. */
    keyCharacters: 255,
    /** Ours, how long the answer to a key is kept. */
    retentionHours: 24,
    /** Ours, bytes of an answer that is kept whole; of a longer one, what it was about. */
    storedAnswerBytes: 64 * KIBIBYTE,
  }),
  events: Object.freeze({
    /** Days that events are kept, and that a cursor is good for; the audit trail has them for longer. */
    retentionDays: 90,
    /** Ours: seconds that a request may wait for events. */
    maxWaitSeconds: 30,
    /** Ours: requests that wait on one instance, and those of them of one user. */
    waiting: 2_000,
    waitingPerUser: 20,
  }),
  live: Object.freeze({
    /** Ours, for one instance: connections in all, and those of them that have not said yet who they are. */
    connections: 5_000,
    newConnections: 2_000,
    /** Ours, for one token on one instance. */
    connectionsPerToken: 50,
    subscriptionsPerToken: 100,
    subscriptionsPerConnection: 20,
    /** Ours, messages, pings and pongs of one connection in a minute. */
    messagesPerMinute: 600,
    /** Ours, for one instance. */
    subscriptions: 20_000,
    /** Ours, events that wait for one subscriber; what it is further behind by is read again. */
    queued: 100,
    /** Ours, bytes of one message or body: a subscription with its variables, kept for as long as it lasts. */
    messageBytes: 32 * KIBIBYTE,
    /** Ours, bytes that wait to be taken by a client before it may ask for more. */
    unsentBytes: 1 * MEBIBYTE,
    /** Ours, seconds in which a client has to say who it is. */
    initSeconds: 5,
    /** Ours, seconds between two heartbeats that a client has to send. */
    pingSeconds: 20,
    /** Ours, seconds between two looks at whether the tokens of those who are connected are still good. */
    checkSeconds: 1,
  }),
  webhook: Object.freeze({
    /** Ours: endpoints of one organization, and of one user. */
    perOrganization: 5,
    perUser: 50,
    /** Ours, characters. */
    urlCharacters: 2_000,
    descriptionCharacters: 500,
    /** Ours: types that an endpoint may name. */
    eventTypes: 200,
    /** Hours that a secret which was replaced signs beside the new one. */
    overlapHours: 24,
    /** Attempts of one delivery, over some three days. */
    attempts: 10,
    /** Days without an accepted delivery after which an endpoint is disabled. */
    failingDays: 5,
    /** Bytes kept of an answer. */
    answerBytes: 4_096,
    /** Days that deliveries are kept, and that may be recovered. */
    retentionDays: 30,
    /** Ours: events that one recovery puts in again. */
    recoveredAtOnce: 10_000,
  }),
  mcp: Object.freeze({
    /** Bytes of a document that a tool takes, and of a message, which may have one as base64. */
    uploadBytes: 1 * MEBIBYTE,
    bodyBytes: Math.ceil((1 * MEBIBYTE) / 3) * 4 + 64 * KIBIBYTE,
    /** Ours, characters that are kept of what a client calls itself. */
    clientCharacters: 100,
  }),
  mail: Object.freeze({
    /** Ours: tries of one mail; with the pauses between them (database/job-queues.ts) about half a day. */
    attempts: 10,
    /** Ours: mails of notifications that a member of an organization gets at once in an hour. */
    atOncePerHour: 20,
  }),
  notification: Object.freeze({
    /** Ours, notifications that one request may mark by their ids. */
    maxMarked: 100,
    /** Ours, days after which a notification goes once it was read, and after which it goes anyhow. */
    readDays: 90,
    anyDays: 365,
  }),
  trustedDocument: Object.freeze({
    /** Ours: versions of applications that are published at a time. */
    versions: 100,
    /** Ours: documents of all of them, and tokens of these together; a prepared token takes about a kilobyte of each instance. */
    documents: 2_000,
    tokens: 150_000,
    /** Ours: characters of the name of an application, and of what it calls a version. */
    nameCharacters: 100,
  }),
} as const;
