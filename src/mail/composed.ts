import type { SendMailOptions } from 'nodemailer';
import { visibleText } from '../vocabulary/visible-text.js';
import { MailFault } from './mail-fault.js';
import type { Message } from './mailer.js';
import type { Sender } from './sender.js';

// The library reads lists, groups and names out of an address; this is what none of them looks like.
const ONE_ADDRESS = /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u;

/**
 * The message as the mail library wants it, without characters that would make it look like another one. An address that could become two, or a header, is a permanent MailFault;
 * files and addresses in the content are never followed.
 */
export function composed({ id, to, date, subject, html, text, headers }: Message, sender: Sender): SendMailOptions {
  if (!ONE_ADDRESS.test(to)) throw new MailFault('The address is no e-mail address.', { permanent: true });
  return {
    from: sender,
    to: { name: '', address: to },
    envelope: { from: sender.address, to: [to] },
    messageId: `<${id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
    date,
    subject: oneLine(subject),
    html: visibleText(html),
    text: visibleText(text),
    headers: {
      // Nobody's absence notice should answer a machine (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(value)])),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A line break in a name would begin a header of its own. */
function oneLine(value: string): string {
  return visibleText(value)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
