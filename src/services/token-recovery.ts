import { networkKey } from '../access/network-key.js';
import { digestToken, generateRecoverySecret, isWellFormedRecoverySecret } from '../access/token.js';
import type { Database, Queryable } from '../database/database.js';
import { notFound, rateLimited } from '../errors.js';
import type { MailQueue } from '../mail/mail.js';
import { recoveryMail } from '../mail/recovery-mail.js';
import { LIMITS } from '../vocabulary/limits.js';
import { issueRecoveredToken, mailRecovered, type RecoveredUser } from './recovered-token.js';

export interface RecoveryDeps {
  mails: MailQueue;
  /** Has `deliver` called with this id, once `tx` has committed. */
  enqueue(tx: Queryable, recoveryId: number): Promise<void>;
  /** What the address in the mail begins with. */
  publicUrl: string;
  now: () => Date;
}

/** A token that was made by recovery, shown once. */
export interface RecoveredToken {
  token: string;
  tokenExpiresAt: Date;
  userId: string;
  username: string;
  email: string;
}

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const { linkMinutes, mailsPerHour, requestsPerHour, keptHours } = LIMITS.recovery;

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 4))';

const COUNT = `
  select (select count(*) from token_recovery where email = $1 and created_at > $3) as "toAddress",
         (select count(*) from token_recovery where network = $2 and created_at > $3) as "fromNetwork"`;

/** Only a verified address of an active user; a job that is run again finds its mail written. */
const REQUESTED = `
  select u.id, u.email from token_recovery r
    join app_user u on u.email = r.email and u.email_verified_at is not null and u.deactivated_at is null
   where r.id = $1 and r.digest is null for update of r`;

const REDEEM = `
  select u.id, u.username, u.email from token_recovery r
    join app_user u on u.id = r.user_id and u.email = r.email and u.deactivated_at is null
   where r.digest = $1 and r.used_at is null and r.expires_at > $2 for update of r`;

/** A new token for who has lost every other, by a one-time link to the verified e-mail address of the user. */
export class TokenRecoveryService {
  constructor(
    private readonly database: Database,
    private readonly deps: RecoveryDeps,
  ) {}

  /**
   * Takes a request; nothing tells whether the address, which has the form of one, is a user's: that is looked up later,
   * by a job. An address that has had its mails of the hour gets no further one. Throws RATE_LIMITED for the caller.
   */
  async request(address: string, caller: string | undefined): Promise<void> {
    const [email, network] = [address.toLowerCase(), caller === undefined ? 'unknown' : networkKey(caller)];
    const now = this.deps.now();
    await this.database.transaction(async (tx) => {
      await tx.rows(LOCK, [email]);
      await tx.rows(LOCK, [network]);
      const since = new Date(now.getTime() - HOUR);
      const [count] = await tx.rows<{ toAddress: number; fromNetwork: number }>(COUNT, [email, network, since]);
      if ((count?.fromNetwork ?? 0) >= requestsPerHour) throw rateLimited(HOUR / 1000);
      const isFull = (count?.toAddress ?? 0) >= mailsPerHour;
      const [row] = await tx.rows<{ id: number }>(
        'insert into token_recovery (email, network, created_at) values ($1, $2, $3) returning id',
        [isFull ? null : email, network, now],
      );
      if (!isFull) await this.deps.enqueue(tx, (row as { id: number }).id);
    });
  }

  /** Mails the link, if the address is the verified one of an active user. The secret is in the mail and nowhere else. */
  async deliver(recoveryId: number): Promise<void> {
    const { mails, now, publicUrl } = this.deps;
    await this.database.transaction(async (tx) => {
      const [user] = await tx.rows<{ id: string; email: string }>(REQUESTED, [recoveryId]);
      if (user === undefined) return;
      const secret = generateRecoverySecret();
      await tx.rows('update token_recovery set user_id = $2, digest = $3, expires_at = $4 where id = $1', [
        ...[recoveryId, user.id, digestToken(secret)],
        new Date(now().getTime() + linkMinutes * MINUTE),
      ]);
      await mails.post(tx, recoveryMail({ to: user.email, publicUrl, link: `${publicUrl}/recovery#${secret}` }));
    });
  }

  /**
   * Exchanges the secret of a link for one token that may read and write, and tells the owners of the user's
   * organizations. The user's other links open nothing any more. A secret that is malformed, unknown, used or expired is
   * NOT_FOUND, and nothing tells which.
   */
  async recover(secret: string): Promise<RecoveredToken> {
    if (!isWellFormedRecoverySecret(secret)) throw notFound();
    const { mails, now, publicUrl } = this.deps;
    return this.database.transaction(async (tx) => {
      const at = now();
      const [user] = await tx.rows<RecoveredUser & { id: string }>(REDEEM, [digestToken(secret), at]);
      if (user === undefined) throw notFound();
      await tx.rows('update token_recovery set used_at = $2 where user_id = $1 and used_at is null', [user.id, at]);
      const { token, expiresAt } = await issueRecoveredToken(tx, user, at);
      await mailRecovered(tx, mails, user, publicUrl);
      return { token, tokenExpiresAt: expiresAt, userId: user.id, username: user.username, email: user.email };
    });
  }

  /** Forgets requests and digests of a day ago. Returns how many. */
  async purgeOld(): Promise<number> {
    const before = new Date(this.deps.now().getTime() - keptHours * HOUR);
    const rows = await this.database.rows('delete from token_recovery where created_at < $1 returning id', [before]);
    return rows.length;
  }
}
