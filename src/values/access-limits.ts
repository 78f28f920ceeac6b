/** Limits of users, and of their means to sign in. "Ours" is explained in limits.ts. */
export const ACCESS_LIMITS = {
  user: Object.freeze({
    /** Ours, characters of a first or last name. */
    nameCharacters: 200,
  }),
  token: Object.freeze({
    /** Characters of randomness, then of CRC32, after the prefix. */
    randomCharacters: 30,
    checksumCharacters: 6,
    /** First characters of a token that are stored for display. */
    shownCharacters: 8,
    /** Days until a token expires: the default, and at most. */
    defaultDays: 90,
    maxDays: 365,
    /** Seconds between two writes of `last_used_at`. */
    lastUsedSeconds: 60,
    /** Ours: remembered addresses of one token. */
    rememberedAddresses: 20,
    /** Ours, characters. */
    nameCharacters: 100,
    /** Ours: networks of one token's allow-list. */
    maxNetworks: 50,
    /** Ours, characters of one of them: the longest IPv6 address with its prefix. */
    networkCharacters: 50,
    /** Ours: active tokens of one user. */
    livePerUser: 500,
    /** Hours that a rotated token stays valid by default, and at most. */
    graceHours: 24,
    maxGraceHours: 7 * 24,
    /** Days before its expiry that the user of a token is notified. */
    warnDays: 7,
  }),
  signIn: Object.freeze({
    /** Hours that the token of a sign-in is valid. */
    tokenHours: 8,
    /** Ours: minutes for signing in at the provider. */
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
    /** Bytes of an application's state during a sign-in, which the browser stores in a cookie of 4 KB. */
    stateBytes: 1_000,
    clientIdCharacters: 300,
    secretCharacters: 1_000,
    claimCharacters: 200,
  }),
  scim: Object.freeze({
    /** Tokens of a directory that are valid at the same time: an old and a new one. */
    tokens: 2,
    /** Days until one expires: the default, and at most. */
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
  serviceAccount: Object.freeze({
    /** Ours: service accounts of one organization. */
    perOrganization: 50,
    /** Ours, characters. */
    nameCharacters: 100,
    descriptionCharacters: 1_000,
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
} as const;
