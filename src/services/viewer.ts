import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { ROLE_LADDER, type RoleDescription } from '../access/roles.js';
import type { Database } from '../database/database.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { Selection } from '../vocabulary/selection.js';
import type { ApiTokenService } from './api-tokens.js';

const projection = new Projection({
  id: 'u.id',
  username: 'u.username',
  email: 'u.email',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  createdAt: 'u.created_at',
});

/** Who is calling (specification 5), and what roles there are. */
export class ViewerService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly tokens: ApiTokenService,
  ) {}

  /**
   * The caller and the token of its request, each only if it is asked for. Throws UNAUTHENTICATED, or FORBIDDEN without
   * the scope `read`.
   */
  async read(caller: Caller, asked: Selection): Promise<{ user?: object; token?: object }> {
    const { userId, tokenId } = this.access.authorizeSelf(caller, 'read');
    const [user, token] = await Promise.all([
      asked.has('user') ? this.user(userId, asked.of('user')) : undefined,
      asked.has('token') ? this.tokens.own(userId, tokenId, asked.of('token')) : undefined,
    ]);
    return { user, token };
  }

  /** The ladder of decisions §2, lowest rank first. */
  roles(caller: Caller): readonly RoleDescription[] {
    this.access.authorizeSelf(caller, 'read');
    return ROLE_LADDER;
  }

  /** Of the user itself, without the scope `read`: for the answer to a write. */
  async user(id: string, asked: Selection): Promise<object> {
    const [row] = await this.database.rows(`select ${projection.of(asked).select} from app_user u where u.id = $1`, [
      id,
    ]);
    if (row === undefined) throw notFound();
    return row;
  }
}
