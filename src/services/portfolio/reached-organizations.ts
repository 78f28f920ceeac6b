import { type Shape } from '../../database/projection.js';
import { db, statementPer } from '../../database/sql.js';
import type { Role } from '../../values/enums.js';
import { ACTIVE_MEMBER, reachable, type Reach } from '../shared/accessible-organizations.js';

/** All organizations `o` of a user, with its membership `m` and the role of an active assignee there, in no order. */
export const reached = statementPer<Shape, Reach & { userId: string; assigneeId: string | null }>()((p, { select }) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(select)
    .select('m.role as $role')
    .select((eb) =>
      eb
        .selectFrom('membership as a')
        .select('a.role')
        .whereRef('a.organization_id', '=', 'o.id')
        .where('a.user_id', '=', p('assigneeId'))
        .where('a.deactivated_at', 'is', null)
        .as('$assigneeRole'),
    )
    .where('o.deleted_at', 'is', null)
    .where('m.user_id', '=', p('userId'))
    .where(ACTIVE_MEMBER)
    .where(reachable(p))
    .$castTo<{ id: number; $role: Role; $assigneeRole: Role | null }>(),
);
