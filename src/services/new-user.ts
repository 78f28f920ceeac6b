import { randomInt, randomUUID } from 'node:crypto';
import type { Queryable } from '../database/database.js';
import { visibleText } from '../vocabulary/visible-text.js';

export interface InvitedUser {
  id: string;
  username: string;
  active: boolean;
  /** Whether it was made just now. */
  isNew: boolean;
}

export interface NewUser {
  /** In lower case. */
  email: string;
  firstName?: string | null;
  lastName?: string | null;
  createdAt: Date;
}

/** The user of this address, which is in lower case; undefined when there is none. */
export async function userByEmail(tx: Queryable, email: string): Promise<InvitedUser | undefined> {
  const [row] = await tx.rows<InvitedUser>(
    `select id, username, deactivated_at is null as active, false as "isNew" from app_user where email = $1`,
    [email],
  );
  return row;
}

/**
 * Makes a user. Its user name is what its address begins with, with digits behind it where somebody has that already.
 * When another request makes a user of this address at the same time, that one is answered.
 */
export async function newUser(tx: Queryable, { email, firstName, lastName, createdAt }: NewUser): Promise<InvitedUser> {
  const names = [firstName, lastName].map((name) => visibleText(name ?? '').trim());
  for (const username of usernamesOf(email)) {
    const [row] = await tx.rows<{ id: string }>(
      `insert into app_user (id, username, email, first_name, last_name, created_at) values ($1, $2, $3, $4, $5, $6)
       on conflict do nothing returning id`,
      [randomUUID(), username, email, ...names, createdAt],
    );
    if (row !== undefined) return { id: row.id, username, active: true, isNew: true };
    const other = await userByEmail(tx, email);
    if (other !== undefined) return other;
  }
  throw new Error('No user name is left');
}

/** What `npm run bootstrap` takes for a user name. */
const LONGEST = 64;

function* usernamesOf(email: string): Generator<string> {
  const base = email.slice(0, email.lastIndexOf('@')).replaceAll(/[^\p{L}\p{N}._+-]/gu, '') || 'user';
  yield base.slice(0, LONGEST);
  for (let digits = 2; digits <= 9; digits += 1) {
    const behind = `-${String(randomInt(10 ** digits)).padStart(digits, '0')}`;
    yield base.slice(0, LONGEST - behind.length) + behind;
  }
}
