import { Field, ObjectType } from 'type-graphql';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';

@ObjectType({
  description: 'How an organization looks (specification 2.10). Default values where none is configured.',
  simpleResolvers: true,
})
export class Branding {
  @Field(() => String, { description: 'Palette name; `default` where none is configured.' })
  palette!: string;

  @Field(() => CustomColors, { description: 'The three colours of the palette.' })
  customColors!: Plain<CustomColors>;
}

@ObjectType({ description: 'Colours of a branding (specification 2.10).', simpleResolvers: true })
export class CustomColors {
  @Field(() => String, { description: 'Primary colour, such as `#1F6FEB`.' })
  primary!: string;

  @Field(() => String, { description: 'Primary colour under the pointer.' })
  primaryHover!: string;

  @Field(() => String, { description: 'Primary colour in its dark shade.' })
  primaryDark!: string;
}

@ObjectType({ description: 'What `updateBranding` answers.', simpleResolvers: true })
export class UpdateBrandingPayload {
  @Field(() => Organization, { description: 'The organization, with its branding as it is now.' })
  organization!: Plain<Organization>;
}
