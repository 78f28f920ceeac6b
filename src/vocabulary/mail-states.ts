/** What has become of a mail: it waits for its turn or another try, it was taken by the mail server, or it was given up. */
export const MAIL_STATES = ['QUEUED', 'SENT', 'FAILED'] as const;
export type MailState = (typeof MAIL_STATES)[number];
