import type { Queryable } from '../database/database.js';

/** A mail as a use-case writes it: who sends it and how it travels is decided where it is delivered. */
export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  html: string;
  /** The same for readers without HTML. */
  text: string;
  /** Headers besides the usual, by name. */
  headers?: Readonly<Record<string, string>>;
}

/** Takes mails; posting is part of the caller's transaction, so that a mail goes out if and only if it commits. */
export interface MailQueue {
  /** Returns the id (UUID) under which `outgoing_mail` tells what became of it. */
  post(tx: Queryable, mail: Mail): Promise<string>;
}
