import { Migration } from '@mikro-orm/migrations';

/** Members of a role are found and counted by the index that has all members in their order. */
export class MemberRoles extends Migration {
  override name = 'MemberRoles';

  override up(): void {
    this.addSql(`
      drop index "membership_person_index";
      create index "membership_person_index" on "membership" (organization_id, person_name, user_id) include (role)
       where person_name is not null;
    `);
  }
}
