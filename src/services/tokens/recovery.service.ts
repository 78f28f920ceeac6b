import { HOUR, MINUTE } from '../../common/time.js';
import type { Actor, Caller } from '../../auth/caller.js';
import { networkKey } from '../../auth/rate-limits.js';
import { assign } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { found, rateLimited } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { MailQueue } from '../../mail/mailer.js';
import { languageOf } from '../../messages/language.js';
import { recoveryMail, recoveredMail } from '../../mail/platform-mails.js';
import { LIMITS } from '../../values/limits.js';
import { recordMember, recordUser } from '../audit/subjects.js';
import { PersonalValue } from '../audit/personal-values.js';
import { record } from '../audit/record.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { lockUser } from '../shared/present-users.js';
import { languageOfUser } from '../shared/reading-language.js';
import { textLock } from '../shared/quotas.js';
import { digestOfSecret, holderOfSecret, issueToken, newSecret } from './token-minting.js';

interface RecoveryDeps extends Pick<Foundation, 'database' | 'config' | 'now'> {
  mails: MailQueue;
  queues: Pick<Foundation['queues'], 'enqueue'>;
}

const { linkMinutes, mailsPerHour, requestsPerHour, keptHours } = LIMITS.recovery;

const r = table('token_recovery', 'r');
const u = table('app_user', 'u');
const m = table('membership', 'm');
const o = table('organization', 'o');

const lock = textLock(4);

const count = statement<{ email: string; network: string; since: Date }>()((p) => {
  const requests = (isCounted: Expression) =>
    sql<number>`(select count(*) from ${r.table} where ${isCounted} and ${r.created_at} > ${p('since')})`;
  return sql<{ toAddress: number; fromNetwork: number }>`
    select ${requests(sql`${r.email} = ${p('email')}`)} as "toAddress",
           ${requests(sql`${r.network} = ${p('network')}`)} as "fromNetwork"`;
});

const insert = statement<{ email: string | null; network: string; now: Date }>()((p) =>
  db
    .insertInto('token_recovery')
    .values({ email: p('email'), network: p('network'), created_at: p('now') })
    .returning('id'),
);

/** Only for a verified address of an active user; a repeated job finds its mail written. */
const requested = statement<{ id: number }>()((p) =>
  db
    .selectFrom('token_recovery as r')
    .innerJoin('app_user as u', 'u.email', 'r.email')
    .select(['u.id', 'u.email', 'u.username', languageOfUser(u).as('language')])
    .where('u.email_verified_at', 'is not', null)
    .where('u.deactivated_at', 'is', null)
    .where('r.id', '=', p('id'))
    .where('r.digest', 'is', null)
    .forUpdate('r'),
);

const link = statement<{ id: number; userId: string; digest: string; expiresAt: Date }>()((p) =>
  db
    .updateTable('token_recovery')
    .set(assign('token_recovery', p, ['userId', 'digest', 'expiresAt']))
    .where('id', '=', p('id')),
);

const redeem = statement<{ digest: string; now: Date }>()((p) =>
  db
    .selectFrom('token_recovery as r')
    .innerJoin('app_user as u', (join) => join.onRef('u.id', '=', 'r.user_id').onRef('u.email', '=', 'r.email'))
    .select(['u.id', 'u.username', 'u.email', 'u.personal_key as personalKey', languageOfUser(u).as('language')])
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

/** A new token for a user who has lost all others, by a one-time link to the verified e-mail address. */
export class TokenRecoveryService {
  constructor(private readonly deps: RecoveryDeps) {}

  /**
   * Accepts a request without revealing whether a user has the address: a job looks it up later. An address at its
   * hourly limit of mails gets no further one. Throws RATE_LIMITED for the caller.
   */
  async request(address: string, caller: string | undefined): Promise<void> {
    const [email, network] = [address.toLowerCase(), caller === undefined ? 'unknown' : networkKey(caller)];
    const now = this.deps.now();
    await this.deps.database.transaction(async (tx) => {
      await lock.all(tx, { text: email });
      await lock.all(tx, { text: network });
      const since = new Date(now.getTime() - HOUR);
      const { toAddress, fromNetwork } = await count.one(tx, { email, network, since });
      if (fromNetwork >= requestsPerHour) throw rateLimited(HOUR / 1000);
      const isFull = toAddress >= mailsPerHour;
      const { id } = await insert.one(tx, { email: isFull ? null : email, network, now });
      if (!isFull) await this.deps.queues.enqueue(tx, 'recovery', [{ data: { recoveryId: id } }]);
    });
  }

  /** Mails the link, if the address is the verified one of an active user. The secret is only in the mail. */
  async deliver(recoveryId: number): Promise<void> {
    const { mails, now, config } = this.deps;
    const { publicUrl } = config;
    await this.deps.database.transaction(async (tx) => {
      const user = await requested.first(tx, { id: recoveryId });
      // A mail to a user erased in the meantime would remain.
      if (user === undefined || !(await lockUser(tx, user.id))) return;
      const { secret, ...stored } = newSecret('recovery', now(), linkMinutes * MINUTE);
      await link.all(tx, { id: recoveryId, userId: user.id, ...stored });
      await mails.post(
        tx,
        recoveryMail({
          language: languageOf(user.language),
          to: user.email,
          publicUrl,
          link: `${publicUrl}/recovery#${secret}`,
        }),
      );
      const { id: userId, username } = user;
      await recordUser(tx, RECOVERY, { userId, username }, { action: 'TOKEN_RECOVERY_REQUESTED', at: now() });
    });
  }

  /**
   * Exchanges the secret of a link for one read-write token, invalidates the user's other links and notifies the
   * owners of the user's organizations. A malformed, unknown, used or expired secret is NOT_FOUND.
   */
  async recover(caller: Caller, secret: string) {
    const digest = digestOfSecret('recovery', secret);
    const { database, mails, now, config } = this.deps;
    return database.transaction(async (tx) => {
      const at = now();
      const user = found(await redeem.first(tx, { digest, now: at }));
      const { id: userId, username, email } = user;
      await useUp.all(tx, { userId, now: at });
      const { token, expiresAt, organizationIds } = await issueRecoveredToken(
        tx,
        holderOfSecret(caller, user),
        user,
        at,
      );
      // So that owners notice an attacker's recovery.
      const readers = [user, ...(await ownersOf.all(tx, { organizationIds, userId }))];
      const mailTo = ({ email: to, language }: { email: string; language: string | null }) =>
        recoveredMail({ to, language: languageOf(language) }, user, config.publicUrl);
      await mails.post(tx, ...readers.map(mailTo));
      return { token, tokenExpiresAt: expiresAt, userId, username, email };
    });
  }

  /** Deletes requests and digests older than a day. Returns their number. */
  async purgeOld(): Promise<number> {
    const before = new Date(this.deps.now().getTime() - keptHours * HOUR);
    return (await deleteOld.all(this.deps.database, { before })).length;
  }
}

const RECOVERY = { kind: 'system', name: 'token-recovery' } as const;

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

/** One owner of each organization first: within the limit, none gets a second mail before all others have one. */
const ownersOf = statement<{ organizationIds: readonly number[]; userId: string }>()(
  (p) => sql<{ email: string; language: string | null }>`
    select email, language
      from (select distinct on (email) *
              from (select ${u.email}, coalesce(${u.language}, ${o.language}) as language, ${m.id},
                           row_number() over (partition by ${m.organization_id} order by ${u.email}) as place
                      from ${m.table}
                      join ${u.table} on ${u.id} = ${m.user_id}
                      join ${o.table} on ${o.id} = ${m.organization_id}
                     where ${m.organization_id} = any(${p('organizationIds')}) and ${m.role} = 'ORGANIZATION_OWNER' and ${ACTIVE_MEMBER}
                       and ${u.deactivated_at} is null and ${u.id} <> ${p('userId')}) as owner
             order by email, place, id) as owner
     order by place, email limit ${sql.lit(LIMITS.recovery.noticeMails)}`,
);

/** Creates the token of a recovery and notifies the owners of the user's organizations, without authorizing. */
export async function issueRecoveredToken(
  tx: Queryable,
  actor: Actor,
  { id: userId, username, email }: { id: string; username: string; email: string },
  now: Date,
) {
  const name = 'Recovered token';
  const origin = actor.kind === 'system' ? 'OPERATOR' : 'API';
  const facts = { userId, name, scopes: ['read', 'write'], createdAt: now, origin } as const;
  const { id, token, expiresAt } = await issueToken(tx, facts);
  const recovered = { action: 'TOKEN_RECOVERED', at: now, changes: { token: { after: id } } } as const;
  await record(tx, actor, { ...recovered, userId, subject: { type: 'TOKEN', id, name } });
  const changes = { ...recovered.changes, email: { after: new PersonalValue(userId, email) } };
  const organizationIds = (await organizationsOf.all(tx, { userId })).map((organization) => organization.id);
  for (const organizationId of organizationIds)
    await recordMember(tx, actor, { organizationId, userId, username }, { ...recovered, changes });
  return { token, expiresAt, organizationIds };
}
