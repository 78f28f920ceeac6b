import { type Shape } from '../../database/projection.js';
import { db, statementPer } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';
import { ACTIVE_MEMBER, reachable, type Reach } from '../shared/accessible-organizations.js';

/** All organizations `o` of a user, with its membership `m`, in no order. */
export const reached = statementPer<Shape, Reach & { userId: string }>()((p, { select }) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(select)
    .select('m.role as $role')
    .where('o.deleted_at', 'is', null)
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .where(reachable(p))
    .$castTo<{ id: number; $role: Role }>(),
);
