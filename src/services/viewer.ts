import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { Projection } from '../database/projection.js';
import { unauthenticated } from '../errors.js';
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

/** Who is calling (specification 5). Whatever a token's scopes, it may ask this about itself. */
export class ViewerService {
  constructor(
    private readonly database: Database,
    private readonly tokens: ApiTokenService,
  ) {}

  async read(caller: Caller, asked: Selection): Promise<{ user?: object; token?: object }> {
    if (caller.kind !== 'user') throw unauthenticated();
    const [user, token] = await Promise.all([
      asked.has('user') ? this.user(caller.userId, asked.of('user')) : undefined,
      asked.has('token') ? this.tokens.own(caller.userId, caller.tokenId, asked.of('token')) : undefined,
    ]);
    return { user, token };
  }

  private async user(id: string, asked: Selection): Promise<object | undefined> {
    const [row] = await this.database.rows(`select ${projection.of(asked).select} from app_user u where u.id = $1`, [
      id,
    ]);
    return row;
  }
}
