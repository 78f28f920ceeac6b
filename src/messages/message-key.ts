import type archive from '../../catalog/messages/en/archive.json';
import type deviceWords from '../../catalog/messages/en/device-words.json';
import type drafts from '../../catalog/messages/en/drafts.json';
import type enums from '../../catalog/messages/en/enums.json';
import type incidentWords from '../../catalog/messages/en/incident-words.json';
import type mail from '../../catalog/messages/en/mail.json';
import type notice from '../../catalog/messages/en/notice.json';
import type pages from '../../catalog/messages/en/pages.json';
import type report from '../../catalog/messages/en/report.json';
import type webPage from '../../catalog/messages/en/web-page.json';
import type webhook from '../../catalog/messages/en/webhook.json';

/** The English messages, by file. */
interface Files {
  archive: typeof archive;
  'device-words': typeof deviceWords;
  drafts: typeof drafts;
  enums: typeof enums;
  'incident-words': typeof incidentWords;
  mail: typeof mail;
  notice: typeof notice;
  pages: typeof pages;
  report: typeof report;
  'web-page': typeof webPage;
  webhook: typeof webhook;
}

/** The name of a message: that of its file and the key in it, such as `mail.invitation.subject`. */
export type MessageKey = { [File in keyof Files]: `${File}.${keyof Files[File] & string}` }[keyof Files];

/** The rest of the names with a beginning: for `enums.Role` the roles. */
export type KeyBelow<Start extends string, Key = MessageKey> = Key extends `${Start}.${infer Rest}` ? Rest : never;
