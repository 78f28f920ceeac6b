import { Field, ObjectType } from 'type-graphql';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';

@ObjectType({ description: 'What `deleteOrganization` answers.', simpleResolvers: true })
export class DeleteOrganizationPayload {
  @Field(() => Organization, {
    description: 'The organization as it went. What belongs to it is absent by now, and not found below it.',
  })
  organization!: Plain<Organization>;
}

@ObjectType({ description: 'What `restoreOrganization` answers.', simpleResolvers: true })
export class RestoreOrganizationPayload {
  @Field(() => Organization, { description: 'The organization, which is there again.' })
  organization!: Plain<Organization>;
}

@ObjectType({ description: 'What `transferOwnership` answers.', simpleResolvers: true })
export class TransferOwnershipPayload {
  @Field(() => Organization, { description: 'The organization, which the caller now manages.' })
  organization!: Plain<Organization>;
}

@ObjectType({ description: 'What `leaveOrganization` answers.', simpleResolvers: true })
export class LeaveOrganizationPayload {
  @Field(() => Organization, {
    description: 'The organization that was left. What belongs to it is not found below it any more.',
  })
  organization!: Plain<Organization>;
}

@ObjectType({ description: 'What `setOrganizationLogo` answers.', simpleResolvers: true })
export class SetOrganizationLogoPayload {
  @Field(() => Organization, { description: 'The organization with its new logo.' })
  organization!: Plain<Organization>;
}

@ObjectType({ description: 'What `removeOrganizationLogo` answers.', simpleResolvers: true })
export class RemoveOrganizationLogoPayload {
  @Field(() => Organization, { description: 'The organization without a logo.' })
  organization!: Plain<Organization>;
}
