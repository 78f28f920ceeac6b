const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * 1024;

/** Limits of requests, their answers, and of messages without a request. "Ours" is explained in limits.ts. */
export const REQUEST_LIMITS = {
  page: Object.freeze({
    /** Items of one page; other values are errors, not clamped. */
    minSize: 1,
    maxSize: 100,
    defaultSize: 50,
  }),
  search: Object.freeze({
    /** Ours, characters (code points) of a search text, after trimming. */
    minCharacters: 2,
    maxCharacters: 100,
    /** Ours, characters of a text filter. */
    filterCharacters: 200,
    /** Ours, items that an offset may skip; cursors have no such limit. */
    maxOffset: 1_000,
    /** Ours, results of one kind that are sorted, and results that are counted. */
    candidates: 1_000,
    /** Ours: newest notifications of the caller that are searched. */
    notifications: 5_000,
    /** Ours: newest incidents and document versions of each organization that a search for two characters reads. */
    recordsForTwoCharacters: 1_000,
    /** Ours: the same of all organizations together, shared equally. */
    allRecordsForTwoCharacters: 20_000,
    /** Ours, characters of a snippet. */
    snippetCharacters: 160,
  }),
  table: Object.freeze({
    /** Ours, bytes of an imported table, and its rows without the column names. */
    maxBytes: 5 * MEBIBYTE,
    rows: 2_000,
  }),
  archive: Object.freeze({
    /** Ours, bytes of an archive of documents and of its unpacked content, and the largest ratio of the two. */
    maxBytes: 250 * MEBIBYTE,
    maxUnpackedBytes: 1024 * MEBIBYTE,
    ratio: 100,
    /** Ours, unpacked bytes up to which the ratio is not limited. */
    ratioFromBytes: 10 * MEBIBYTE,
    /** Ours: entries of an archive, and documents in its manifest. */
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
    /** Ours: active jobs of one organization. */
    perOrganization: 10,
    /** Ours, days that a job is stored after its end. */
    keptDays: 7,
    /** Ours: attempts without a processed row, at least a minute apart, after which a job is given up. */
    attempts: 60,
  }),
  idempotency: Object.freeze({
    /** Ours, characters of an `Idempotency-Key`. */
    keyCharacters: 255,
    /** Ours, hours that the answer to a key is stored. */
    hoursKept: 24,
    /** Ours, bytes of an answer that is stored whole; of a longer one, only its subject. */
    keptAnswerBytes: 64 * KIBIBYTE,
  }),
  events: Object.freeze({
    /** Days that events are stored and cursors are valid; the audit trail has them for longer. */
    keptDays: 90,
    /** Ours: seconds that a request may wait for events. */
    maxWaitSeconds: 30,
    /** Ours: waiting requests of one instance, and of one user on it. */
    waiting: 2_000,
    waitingPerUser: 20,
  }),
  live: Object.freeze({
    /** Ours, for one instance: connections, and unauthenticated ones among them. */
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
    /** Ours, events buffered for one subscriber; those beyond are read again. */
    queued: 100,
    /** Ours, bytes of one message or body: a subscription with its variables, in memory while it lasts. */
    messageBytes: 32 * KIBIBYTE,
    /** Ours, unread bytes of a client beyond which it may not send more. */
    unsentBytes: 1 * MEBIBYTE,
    /** Ours, seconds in which a client has to authenticate. */
    initSeconds: 5,
    /** Ours, seconds between two heartbeats of a client. */
    pingSeconds: 20,
    /** Ours, seconds between two checks of the tokens of connected clients. */
    checkSeconds: 1,
  }),
  webhook: Object.freeze({
    /** Ours: endpoints of one organization, and of one user. */
    perOrganization: 5,
    perUser: 50,
    /** Ours, characters. */
    urlCharacters: 2_000,
    descriptionCharacters: 500,
    /** Ours: types of one endpoint. */
    eventTypes: 200,
    /** Hours that a replaced secret signs beside the new one. */
    overlapHours: 24,
    /** Attempts of one delivery, over some three days. */
    attempts: 10,
    /** Days without an accepted delivery after which an endpoint is disabled. */
    failingDays: 5,
    /** Stored bytes of an answer. */
    answerBytes: 4_096,
    /** Days that deliveries are stored, and may be recovered. */
    keptDays: 30,
    /** Ours: events that one recovery inserts again. */
    recoveredAtOnce: 10_000,
  }),
  mcp: Object.freeze({
    /** Bytes of a document for a tool, and of a message, which may contain one in base64. */
    uploadBytes: 1 * MEBIBYTE,
    bodyBytes: Math.ceil((1 * MEBIBYTE) / 3) * 4 + 64 * KIBIBYTE,
    /** Ours, stored characters of a client's name for itself. */
    clientCharacters: 100,
  }),
  mail: Object.freeze({
    /** Ours: attempts for one mail; with their pauses (database/job-queues.ts) about half a day. */
    attempts: 10,
    /** Ours: immediate notification mails of a member of an organization in an hour. */
    atOncePerHour: 20,
  }),
  notification: Object.freeze({
    /** Ours, notifications that one request may mark by their ids. */
    maxMarked: 100,
    /** Ours, days after which a read notification is deleted, and any other one. */
    readDays: 90,
    anyDays: 365,
  }),
  trustedDocument: Object.freeze({
    /** Ours: published versions of applications. */
    versions: 100,
    /** Ours: documents of all of them, and their tokens; a prepared token takes about a kilobyte of each instance. */
    documents: 2_000,
    tokens: 150_000,
    /** Ours: characters of the names of an application and of a version. */
    nameCharacters: 100,
  }),
} as const;
