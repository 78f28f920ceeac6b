import { HOUR, MINUTE } from '../../common/time.js';
import type { Actor, Caller } from '../../auth/caller.js';
import { networkKey } from '../../auth/rate-limits.js';
import { digestToken, generateToken, isWellFormedToken } from '../../auth/token.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import { notFound, rateLimited } from '../../errors.js';
import type { MailQueue } from '../../mail/mailer.js';
import { recoveryMail, recoveredMail } from '../../mail/platform-mails.js';
import { LIMITS } from '../../values/limits.js';
import { recordMember, recordUser } from '../audit/subjects.js';
import { PersonalValue } from '../audit/personal-values.js';
import { record } from '../audit/record.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { issueToken } from './token-minting.js';

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

const { linkMinutes, mailsPerHour, requestsPerHour, keptHours } = LIMITS.recovery;

const lock = statement<{ name: string }>()((p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('name')}, 4))`);

const count = statement<{ email: string; network: string; since: Date }>()((p) =>
  db.selectNoFrom((eb) => {
    const requests = eb
      .selectFrom('token_recovery')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('created_at', '>', p('since'));
    return [
      requests.where('email', '=', p('email')).$asScalar().as('toAddress'),
      requests.where('network', '=', p('network')).$asScalar().as('fromNetwork'),
    ];
  }),
);

const insert = statement<{ email: string | null; network: string; now: Date }>()((p) =>
  db
    .insertInto('token_recovery')
    .values({ email: p('email'), network: p('network'), created_at: p('now') })
    .returning('id'),
);

/** Only a verified address of an active user; a job that is run again finds its mail written. */
const requested = statement<{ id: number }>()((p) =>
  db
    .selectFrom('token_recovery as r')
    .innerJoin('app_user as u', 'u.email', 'r.email')
    .select(['u.id', 'u.email', 'u.username'])
    .where('u.email_verified_at', 'is not', null)
    .where('u.deactivated_at', 'is', null)
    .where('r.id', '=', p('id'))
    .where('r.digest', 'is', null)
    .forUpdate('r'),
);

const link = statement<{ id: number; userId: string; digest: string; expiresAt: Date }>()((p) =>
  db
    .updateTable('token_recovery')
    .set({ user_id: p('userId'), digest: p('digest'), expires_at: p('expiresAt') })
    .where('id', '=', p('id')),
);

const redeem = statement<{ digest: string; now: Date }>()((p) =>
  db
    .selectFrom('token_recovery as r')
    .innerJoin('app_user as u', (join) => join.onRef('u.id', '=', 'r.user_id').onRef('u.email', '=', 'r.email'))
    .select(['u.id', 'u.username', 'u.email', 'u.personal_key as personalKey'])
    .where('u.deactivated_at', 'is', null)
    .where('r.digest', '=', p('digest'))
    .where('r.used_at', 'is', null)
    .where('r.expires_at', '>', p('now'))
    .forUpdate('r'),
);

const useUp = statement<{ userId: string; now: Date }>()((p) =>
  db
    .updateTable('token_recovery')
    .set({ used_at: p('now') })
    .where('user_id', '=', p('userId'))
    .where('used_at', 'is', null),
);

const deleteOld = statement<{ before: Date }>()((p) =>
  db.deleteFrom('token_recovery').where('created_at', '<', p('before')).returning('id'),
);

/** A new token for a user who has lost every other, by a one-time link to the verified e-mail address. */
export class TokenRecoveryService {
  constructor(
    private readonly database: Database,
    private readonly deps: RecoveryDeps,
  ) {}

  /**
   * Takes a request, without revealing whether a user has the address: a job looks it up later. An address that has had
   * its mails of the hour gets no further one. Throws RATE_LIMITED for the caller.
   */
  async request(address: string, caller: string | undefined): Promise<void> {
    const [email, network] = [address.toLowerCase(), caller === undefined ? 'unknown' : networkKey(caller)];
    const now = this.deps.now();
    await this.database.transaction(async (tx) => {
      await lock.all(tx, { name: email });
      await lock.all(tx, { name: network });
      const since = new Date(now.getTime() - HOUR);
      const { toAddress, fromNetwork } = await count.one(tx, { email, network, since });
      if ((fromNetwork ?? 0) >= requestsPerHour) throw rateLimited(HOUR / 1000);
      const isFull = (toAddress ?? 0) >= mailsPerHour;
      const { id } = await insert.one(tx, { email: isFull ? null : email, network, now });
      if (!isFull) await this.deps.enqueue(tx, id);
    });
  }

  /** Mails the link, if the address is the verified one of an active user. The secret is in the mail and nowhere else. */
  async deliver(recoveryId: number): Promise<void> {
    const { mails, now, publicUrl } = this.deps;
    await this.database.transaction(async (tx) => {
      const user = await requested.first(tx, { id: recoveryId });
      if (user === undefined) return;
      const secret = generateToken('recovery');
      const expiresAt = new Date(now().getTime() + linkMinutes * MINUTE);
      await link.all(tx, { id: recoveryId, userId: user.id, digest: digestToken(secret), expiresAt });
      await mails.post(tx, recoveryMail({ to: user.email, publicUrl, link: `${publicUrl}/recovery#${secret}` }));
      const { id: userId, username } = user;
      await recordUser(tx, RECOVERY, { userId, username }, { action: 'TOKEN_RECOVERY_REQUESTED', at: now() });
    });
  }

  /**
   * Exchanges the secret of a link for one token that may read and write, voids the user's other links and notifies the
   * owners of the user's organizations. A malformed, unknown, used or expired secret is NOT_FOUND.
   */
  async recover({ origin }: Caller, secret: string): Promise<RecoveredToken> {
    if (!isWellFormedToken(secret, 'recovery')) throw notFound();
    const { mails, now, publicUrl } = this.deps;
    return this.database.transaction(async (tx) => {
      const at = now();
      const user = await redeem.first(tx, { digest: digestToken(secret), now: at });
      if (user === undefined) throw notFound();
      await useUp.all(tx, { userId: user.id, now: at });
      const { id: userId, personalKey } = user;
      const actor = { kind: 'user', userId, personalKey, ...(origin && { origin }) } as const;
      const { token, expiresAt } = await issueRecoveredToken(tx, actor, user, at);
      await mailRecovered(tx, mails, user, publicUrl);
      return { token, tokenExpiresAt: expiresAt, userId, username: user.username, email: user.email };
    });
  }

  /** Forgets requests and digests of a day ago. Returns how many. */
  async purgeOld(): Promise<number> {
    const before = new Date(this.deps.now().getTime() - keptHours * HOUR);
    return (await deleteOld.all(this.database, { before })).length;
  }
}

const RECOVERY = { kind: 'system', name: 'token-recovery' } as const;

export interface RecoveredUser {
  id: string;
  username: string;
  email: string;
}

const organizationsOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select('o.id')
    .where('o.deleted_at', 'is', null)
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .orderBy('o.id'),
);

const ownersOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('membership as mine')
    .innerJoin('organization as o', 'o.id', 'mine.organization_id')
    .innerJoin('membership as m', 'm.organization_id', 'o.id')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('u.email')
    .distinct()
    .where('o.deleted_at', 'is', null)
    .where('m.role', '=', 'ORGANIZATION_OWNER')
    .where(ACTIVE_MEMBER)
    .where('u.deactivated_at', 'is', null)
    .where('mine.user_id', '=', p('userId'))
    .where('mine.deactivated_at', 'is', null)
    .where('u.id', '<>', p('userId'))
    .orderBy('u.email')
    .limit(LIMITS.recovery.noticeMails),
);

/** Makes the token of a recovery and notifies the owners of the user's organizations, without authorizing. */
export async function issueRecoveredToken(
  tx: Queryable,
  actor: Actor,
  user: RecoveredUser,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const facts = { userId: user.id, name: 'Recovered token', scopes: ['read', 'write'], createdAt: now } as const;
  const { id, token, expiresAt } = await issueToken(tx, facts);
  const recovered = { action: 'TOKEN_RECOVERED', at: now, changes: { token: { after: id } } } as const;
  const subject = { type: 'TOKEN', id, name: facts.name } as const;
  await record(tx, actor, { ...recovered, userId: user.id, subject });
  const organizations = await organizationsOf.all(tx, { userId: user.id });
  const email = { after: new PersonalValue(user.id, user.email) };
  const changes = { ...recovered.changes, email };
  for (const { id: organizationId } of organizations)
    await recordMember(
      tx,
      actor,
      { organizationId, userId: user.id, username: user.username },
      { ...recovered, changes },
    );
  return { token, expiresAt };
}

/** Mails the user and owners of its organizations, so that an attacker's recovery is seen. */
export async function mailRecovered(
  tx: Queryable,
  mails: MailQueue,
  user: RecoveredUser,
  publicUrl: string,
): Promise<void> {
  const owners = await ownersOf.all(tx, { userId: user.id });
  const readers = [user, ...owners];
  await mails.post(tx, ...readers.map(({ email }) => recoveredMail(email, user, publicUrl)));
}
