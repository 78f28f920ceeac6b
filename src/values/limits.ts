const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/**
 * Every number that a caller can run into. "Ours" marks a number that the specification does not name:
 * it keeps one request from filling the database and is far above what an honest caller sends.
 * (Messages of one error at most: MAX_ERRORS in errors.ts.)
 */
export const LIMITS = Object.freeze({
  events: Object.freeze({
    /** Days that events are kept, and that a cursor is good for; the audit trail has them for longer. */
    keptDays: 90,
    /** Ours: seconds that a request may wait for events. */
    maxWaitSeconds: 30,
    /** Ours: requests that wait on one instance, and those of them of one user. */
    waiting: 2_000,
    waitingPerUser: 20,
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
  document: Object.freeze({
    /** Bytes of decoded content, inclusive (specification 8). */
    maxBytes: 10 * MEBIBYTE,
    /** Newest versions kept per artifact (specification 8). */
    versionsKept: 10,
    /** Minutes that a download address stays valid unless configured otherwise. */
    downloadLinkMinutes: 15,
    /** Ours, characters of the note of a version. */
    noteCharacters: 2_000,
    /** Ours: how many days before its last one evidence is about to expire. */
    expiringDays: 30,
  }),
  attachment: Object.freeze({
    /** Bytes of one incident attachment, inclusive. */
    maxBytes: 25 * MEBIBYTE,
  }),
  logo: Object.freeze({
    /** Bytes of a logo sent as a file part. */
    maxBytes: 1 * MEBIBYTE,
  }),
  page: Object.freeze({
    /** Items of one page; outside is an error, not a silent clamp. */
    minSize: 1,
    maxSize: 100,
    defaultSize: 50,
  }),
  portfolio: Object.freeze({
    /** Ours, organizations of one page: consultants look after more than a hundred. */
    maxPageSize: 200,
    /** Ours, open incidents of each organization whose reports are looked at. */
    incidents: 50,
    /** Ours, controls of all organizations that are put in order. */
    controls: 1_000,
  }),
  control: Object.freeze({
    /** Ours, characters. */
    justificationCharacters: 2_000,
    noteCharacters: 5_000,
    /** Ours, months between two reviews of the evidence. */
    maxReviewIntervalMonths: 120,
    /** Ours: controls that one call may change. */
    changedAtOnce: 200,
  }),
  attestation: Object.freeze({
    /** Ours, characters of a statement, and of the reason of a withdrawal. */
    statementCharacters: 2_000,
    /** Ours: changes that a stale attestation names. */
    changes: 50,
  }),
  progress: Object.freeze({
    /** Ours, days of a history: when nothing is said, and at most. */
    defaultDays: 90,
    maxDays: 366,
  }),
  workflowImport: Object.freeze({
    /** As catalog/workflow.schema.json says it, headings included. */
    controls: 2_000,
    /** Ours, bytes of the text. */
    maxBytes: 1 * MEBIBYTE,
    /** Ours, bytes of OSCAL or of a library, most of which is not kept. */
    maxCatalogBytes: 5 * MEBIBYTE,
    /** Ours, of SHA-256 in hexadecimal. */
    digestCharacters: 64,
    /** Ours, imports that one organization may keep. */
    perOrganization: 50,
    /** Ours, pairs of controls by all shipped mappings, and by all of an organization, inherited ones included. */
    mappedPairs: 20_000,
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
    /** Ours, of what is imported as a job: rows of a table and bytes of it, documents of an archive, invitations. */
    rows: 10_000,
    tableBytes: 10 * MEBIBYTE,
    documents: 10_000,
    entries: 12_000,
    manifestBytes: 8 * MEBIBYTE,
    invitations: 1_000,
    /** Ours: jobs of one organization that have not ended. */
    perOrganization: 10,
    /** Ours, days that a job is kept after its end. */
    keptDays: 7,
    /** Ours: attempts, a minute or more apart, that may do no row before a job is given up. */
    attempts: 60,
  }),
  token: Object.freeze({
    /** Characters of randomness, then of CRC32, after the prefix. */
    randomCharacters: 30,
    checksumCharacters: 6,
    /** First characters of a token that are kept for display. */
    shownCharacters: 8,
    /** Days until a token expires when its maker does not say, and at most. */
    defaultDays: 90,
    maxDays: 365,
    /** Seconds between two writes of `last_used_at`. */
    lastUsedSeconds: 60,
    /** Ours: addresses of one token that are remembered. */
    rememberedAddresses: 20,
    /** Ours, characters. */
    nameCharacters: 100,
    /** Ours: networks of one token's allow-list. */
    maxNetworks: 50,
    /** Ours, characters of one of them: the longest IPv6 address with its prefix. */
    networkCharacters: 50,
    /** Ours: tokens of one user that have not ended. */
    livePerUser: 500,
    /** Hours that a rotated token stays valid by default, and at most. */
    graceHours: 24,
    maxGraceHours: 7 * 24,
    /** Days before its expiry that the user of a token is notified. */
    warnDays: 7,
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
    keptDays: 30,
    /** Ours: events that one recovery puts in again. */
    recoveredAtOnce: 10_000,
  }),
  signIn: Object.freeze({
    /** Hours that the token of a sign-in is valid. */
    tokenHours: 8,
    /** Ours: minutes between leaving for the provider and coming back. */
    flowMinutes: 10,
    /** Seconds in which an application exchanges its code. */
    codeSeconds: 60,
    /** Ours: identity providers of an organization. */
    providers: 10,
    /** Ours: domains, mapped groups and redirect addresses of one provider. */
    domains: 20,
    groups: 100,
    redirectUris: 20,
    /** Ours, characters. */
    nameCharacters: 60,
    uriCharacters: 500,
    clientIdCharacters: 300,
    secretCharacters: 1_000,
    claimCharacters: 200,
  }),
  scim: Object.freeze({
    /** Tokens of a directory that are valid at the same time: an old and a new one. */
    tokens: 2,
    /** Days until one expires when its maker does not say, and at most. */
    tokenDays: 365,
    maxTokenDays: 730,
    /** Resources of one page. */
    pageSize: 100,
    /** Ours: groups of an organization, groups that have a role, and addresses of one person. */
    groups: 1_000,
    groupRoles: 100,
    emails: 10,
    /** Ours, characters of a name of a user or group, an id of the directory, and an address. */
    nameCharacters: 200,
    emailCharacters: 254,
  }),
  mcp: Object.freeze({
    /** Bytes of a document that a tool takes, and of a message, which may have one as base64. */
    uploadBytes: 1 * MEBIBYTE,
    bodyBytes: Math.ceil((1 * MEBIBYTE) / 3) * 4 + 64 * KIBIBYTE,
    /** Ours, characters that are kept of what a client calls itself. */
    clientCharacters: 100,
  }),
  serviceAccount: Object.freeze({
    /** Ours: service accounts of one organization. */
    perOrganization: 50,
    /** Ours, characters. */
    nameCharacters: 100,
    descriptionCharacters: 1_000,
  }),
  engagement: Object.freeze({
    /** Ours: engagements of one organization that have not ended, and workflows of one of them. */
    perOrganization: 20,
    workflows: 20,
    /** Ours, characters of a name; of a request, an answer and a statement. */
    nameCharacters: 200,
    textCharacters: 2_000,
    /** Ours: days from now until it ends, at most. */
    maxDays: 730,
    /** Ours: auditors of one engagement; requests, and sign-offs, of one. */
    auditors: 50,
    requests: 1_000,
  }),
  mail: Object.freeze({
    /** Ours: tries of one mail; with the pauses between them (database/job-queues.ts) about half a day. */
    attempts: 10,
    /** Ours: mails of notifications that a member of an organization gets at once in an hour. */
    atOncePerHour: 20,
  }),
  sandbox: Object.freeze({
    /** Ours: sandboxes that one user may own, deleted ones included for as long as they may be restored. */
    perUser: 5,
  }),
  invitation: Object.freeze({
    /** Days that an invitation may be accepted in after its last mail. */
    days: 7,
    /** Mails of one invitation in total, and of all invitations of one organization to one address in seven days. */
    mails: 5,
    /** Ours: mails of invitations to one address in a day. */
    mailsPerDay: 10,
    /** Ours: invitations of one request. */
    atOnce: 100,
  }),
  recovery: Object.freeze({
    /** Minutes in which the link of a mail may be used. */
    linkMinutes: 30,
    /** Ours: mails to one address in an hour. */
    mailsPerHour: 3,
    /** Ours: requests from one network address in an hour. */
    requestsPerHour: 10,
    /** Ours: hours after which a request and its digest are deleted. */
    keptHours: 24,
    /** Ours: owners who are notified of a recovery by mail, besides their notifications. */
    noticeMails: 20,
  }),
  user: Object.freeze({
    /** Ours, characters of a first or last name. */
    nameCharacters: 200,
  }),
  softDelete: Object.freeze({
    /** Days in which a deleted organization or device may be restored. */
    restoreDays: 30,
  }),
  notification: Object.freeze({
    /** Ours, notifications that one request may mark by their ids. */
    maxMarked: 100,
    /** Ours, days after which a notification goes once it was read, and after which it goes anyhow. */
    readDays: 90,
    anyDays: 365,
  }),
  device: Object.freeze({
    /** Ours, characters of a device's type, of each of its services, and of the name of its plug-in. */
    wordCharacters: 64,
    /** Ours, items as sent (before duplicates are dropped). */
    services: 50,
    /** Ours, characters of a device identifier. */
    deviceIdCharacters: 200,
    /** Ours, characters: the longest IPv6 address, an IPv4 address mapped into it. */
    addressCharacters: 45,
    /** Ours, bytes of a plug-in's configuration as JSON, and its levels, the configuration itself being the first. */
    configBytes: 64 * KIBIBYTE,
    configLevels: 20,
  }),
  check: Object.freeze({
    /** Ours, reports of one request, and buckets of traffic in one report (two days by the hour). */
    reports: 100,
    /** Ours, reports of one request that are of many devices, and of one transaction for several requests. */
    reportsOfMany: 500,
    /** Ours, how long reports of several requests are gathered for one transaction. */
    gatheredMilliseconds: 200,
    bucketsPerReport: 48,
    /** Ours, reports of one device that are of one day in UTC: one every five seconds fits. */
    reportsPerDay: 20_000,
    /** Ours, seconds that one bucket of traffic may last. */
    bucketSeconds: 24 * 60 * 60,
    /** Days that reports are kept, and that a report may be late. */
    keptDays: 90,
    /** Ours, minutes that the clock of a device may be ahead of ours. */
    clockSkewMinutes: 5,
    /** Ours, minutes without a report after which a device counts as down: an hourly report may be half an hour late. */
    silentMinutes: 90,
    /** Ours, buckets of one series: the 90 days by the hour fit. Then those of all series of one operation. */
    seriesBuckets: 2_200,
    seriesBucketsInAll: 22_000,
    /** Ours, rows of one `web_stat` or `chart_stat`: one every twenty minutes for a week. */
    statRows: 500,
    /** Ours, rows of all of them in one operation: both of each device of the largest page fit. */
    statRowsInAll: 100_000,
  }),
  branding: Object.freeze({
    /** Ours, characters of a palette's name. */
    paletteCharacters: 50,
    /** Contrast of white text on each colour: WCAG 2.2, success criterion 1.4.3 at level AA. */
    leastContrast: 4.5,
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
  idempotency: Object.freeze({
    /** Ours, characters of an `Idempotency-Key`. */
    keyCharacters: 255,
    /** Ours, how long the answer to a key is kept. */
    hoursKept: 24,
    /** Ours, bytes of an answer that is kept whole; of a longer one, what it was about. */
    keptAnswerBytes: 64 * KIBIBYTE,
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
  incident: Object.freeze({
    /** Ours: how long before its deadline a report is due soon, by how long its period is. */
    dayReminderHours: 6,
    daysReminderHours: 24,
    monthReminderHours: 7 * 24,
    /** Ours: by how much the periods of a rehearsal are shorter. */
    rehearsalSpeed: 60,
    /** Ours, characters. */
    titleCharacters: 200,
    lineCharacters: 200,
    descriptionCharacters: 10_000,
    noteCharacters: 10_000,
    reasonCharacters: 1_000,
    /** Ours, pages of a draft as PDF: more are blank for the most part. */
    draftPages: 500,
  }),
  organization: Object.freeze({
    /** Characters (code points) after trimming. */
    nameCharacters: 200,
    /** Ours, characters. */
    descriptionCharacters: 10_000,
    /** Ours, characters: what every browser and proxy carries. */
    urlCharacters: 2_048,
    /** Ours: the largest `integer` of PostgreSQL. */
    maxEmployees: 2_147_483_647,
    /** Ours, items as sent (before duplicates are dropped). */
    sectors: 200,
    industries: 200,
    contacts: 100,
    complianceFrameworks: 20,
    extensions: 20,
    domains: 1_000,
    ips: 1_000,
    /** RFC 1123 with RFC 1035: characters of a host name. */
    domainCharacters: 253,
    /** Ours, characters: long enough for an IPv6 address, so that the message can say that IPv4 is required. */
    ipCharacters: 45,
    /** Ours, characters: no name of the IANA time zone database is as long. */
    timeZoneCharacters: 64,
    /** Days for which an audit trail is kept at least; ours, at most: a hundred years. */
    minAuditRetentionDays: 365,
    maxAuditRetentionDays: 36_500,
    /** Ours, characters of a contact's `name` and `role`, each. */
    contactTextCharacters: 200,
    /** RFC 5321: characters of a mail address that still fit its path. */
    emailCharacters: 254,
    /** Ours, characters. Telephone numbers stay free text. */
    phoneCharacters: 50,
    /** Ours, bytes of a framework's `fields` as JSON, and its levels, `fields` itself being the first. */
    frameworkFieldsBytes: 16 * KIBIBYTE,
    frameworkFieldsLevels: 10,
  }),
} as const);

/** Milliseconds since 1970 of the first and the last instant whose year has four digits in UTC; PostgreSQL knows no year 0. */
export const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
