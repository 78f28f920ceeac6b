/** Reasons why data is not available as of an instant: the ends of messages that begin with `asOf`. */
export const UNAVAILABLE_AS_OF = {
  TOKENS:
    'is not for tokens: entries say when one was made, rotated, blocked and revoked, and not when it was last used or from where',
  ACCOUNTS: 'is not for service accounts: when one was last used is in no entry; their roles are with those of members',
  INVITATIONS: 'is not for invitations: the address of a person who is no user is in no entry',
  PROVIDERS:
    'is not for identity providers and directories: of their secrets and proofs entries say only that they were changed',
  WEBHOOKS: 'is not for webhooks: of their addresses and secrets entries say only that they were changed',
  DELIVERIES: 'is not for deliveries: what was sent and answered is in no entry, and is removed after a while',
  DEVICE_REPORTS: 'is not for what devices report: it is in no entry, and has times of its own',
  PROGRESS: 'is not for progress by day: it is a history of its own, from which `from` and `to` choose',
  TRAIL:
    'is not for the audit trail as a file and its verification: both are about all of it, and entries have their times',
  CHANGES: 'is not for changes: `from` and `to` choose them',
  FILES: 'is not for files that are made of evidence: bytes of documents that are gone are not stored',
  DRAFTS: 'is not for drafts of reports: they name contacts, which are in no entry',
  CATALOGUE: 'is not for the catalogue: it is the one of now, with what was imported',
  CALLER: 'is not for what the caller may do: that depends on the present state',
  SUGGESTIONS: 'is not for suggestions: they are about what to do now',
  SUMMARIES: 'is not for reports by mail: they are about the week that ends now',
  NOTIFICATIONS: 'is not for notifications: they are of a person, and their marks are in no entry',
  IMPORTS: 'is not for imports by a job: a job is stored for a week, and what it has changed is in entries of its own',
  OTHER: 'is not for what the audit trail does not record',
} as const satisfies Readonly<Record<string, string>>;

export type UnavailableAsOf = keyof typeof UNAVAILABLE_AS_OF;
