const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * 1024;

/** Limits of organizations and their devices. "Ours" is explained in limits.ts. */
export const ORGANIZATION_LIMITS = {
  organization: Object.freeze({
    /** Characters (code points) after trimming. */
    nameCharacters: 200,
    /** Ours, characters. */
    descriptionCharacters: 10_000,
    /** Ours, characters: supported by every browser and proxy. */
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
    /** Ours, characters: longer than any name of the IANA time zone database. */
    timeZoneCharacters: 64,
    /** The least days that an audit trail is stored; ours, the most: a hundred years. */
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
  logo: Object.freeze({
    /** Bytes of a logo sent as a file part. */
    maxBytes: 1 * MEBIBYTE,
  }),
  branding: Object.freeze({
    /** Ours, characters of a palette's name. */
    paletteCharacters: 50,
    /** Contrast of white text on each colour: WCAG 2.2, success criterion 1.4.3 at level AA. */
    leastContrast: 4.5,
  }),
  sandbox: Object.freeze({
    /** Ours: sandboxes of one user, including deleted ones that may be restored. */
    perUser: 5,
  }),
  softDelete: Object.freeze({
    /** Days in which a deleted organization or device may be restored. */
    restoreDays: 30,
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
    /** Ours, reports of many devices in one request, and of several requests in one transaction. */
    reportsOfMany: 500,
    /** Ours, milliseconds in which reports of several requests are collected for one transaction. */
    gatheredMilliseconds: 200,
    bucketsPerReport: 48,
    /** Ours, reports of one device that are of one day in UTC: one every five seconds fits. */
    reportsPerDay: 20_000,
    /** Ours, seconds that one bucket of traffic may last. */
    bucketSeconds: 24 * 60 * 60,
    /** Days that reports are stored, and that a report may be late. */
    keptDays: 90,
    /** Ours, minutes that a device's clock may be ahead of the gateway's. */
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
} as const;
