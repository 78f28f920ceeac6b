import { Migration } from '@mikro-orm/migrations';

/** In the schema `history`, which each migration makes anew, who is no member any more is found by the user name. */
export class FormerNames extends Migration {
  override name = 'FormerNames';

  override up(): void {
    this.addSql('select 1');
  }
}
