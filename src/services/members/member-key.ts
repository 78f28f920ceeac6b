import { notFound } from '../../errors.js';

/** Which member; a text that is no UUID names nobody. */
export interface MemberKey {
  organizationId: number;
  userId: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As the database writes it. A malformed id is NOT_FOUND, like one that never was. */
export function userIdOf({ userId }: Pick<MemberKey, 'userId'>): string {
  const id = userId.toLowerCase();
  if (!UUID.test(id)) throw notFound();
  return id;
}
