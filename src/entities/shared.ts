import { defineEntity } from '@mikro-orm/core';
import { bytes, creationTime, instant, p } from './columns.js';
import type { MailStatus } from '../values/enums.js';
import { ApiToken } from './tokens.js';

/** The answer to a request with an `Idempotency-Key`, stored for repetitions with the same token. */
export const IdempotentAnswer = defineEntity({
  name: 'IdempotentAnswer',
  properties: {
    token: p.manyToOne(ApiToken).primary().deleteRule('cascade'),
    /** Lower-case hexadecimal SHA-256 of the key. */
    keyDigest: p.string().length(64).primary(),
    /** Request and answer, encrypted under a key derived from the token (services/shared/idempotent-answers.ts). */
    sealed: bytes(),
    createdAt: instant().index(),
  },
});

/** Bytes of answers stored in an hour for a user or an organization, compared with their budgets. */
export const IdempotencyVolume = defineEntity({
  name: 'IdempotencyVolume',
  properties: {
    /** "user" or "organization", and its id. */
    owner: p.text().primary(),
    /** Start of the hour. */
    hour: instant().primary().index(),
    bytes: p.bigint('number'),
  },
});

/** Content of a mail; removed once sent, because it may contain a secret of its recipient. */
export interface MailContent {
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/** A mail to be sent, and afterwards the record of it (docs/adr/0014). */
export const OutgoingMail = defineEntity({
  name: 'OutgoingMail',
  properties: {
    /** Also the first part of its Message-ID, so that a second delivery after a crash is the same message. */
    id: p.uuid().primary(),
    recipient: p.text(),
    content: p.json<MailContent>().nullable(),
    state: p.text().$type<MailStatus>().default('QUEUED'),
    attempts: p.integer().default(0),
    /** A sentence of the gateway, never a mail server's, which may contain addresses and host names. */
    lastError: p.text().nullable(),
    createdAt: creationTime(),
    sentAt: instant().nullable(),
  },
  indexes: [
    { properties: ['createdAt'] },
    { name: 'outgoing_mail_unsent_index', properties: ['createdAt'], where: `state <> 'SENT'` },
  ],
  checks: [{ name: 'outgoing_mail_state_check', expression: `state in ('QUEUED', 'SENT', 'FAILED')` }],
});
