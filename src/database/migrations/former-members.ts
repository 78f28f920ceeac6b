import { Migration } from '@mikro-orm/migrations';

/** The schema `history`, which each migration makes anew, has no names and addresses of who is no member any more. */
export class FormerMembers extends Migration {
  override name = 'FormerMembers';

  override up(): void {
    this.addSql('select 1');
  }
}
