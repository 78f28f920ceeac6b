import { Field, InputType, Int } from 'type-graphql';
import { VERSION } from './organization.input.js';

@InputType({
  description:
    'How an organization is to look. An absent field stays as it is, null is the default; both null is the default branding.',
})
export class UpdateBrandingInput {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;

  @Field(() => String, { nullable: true, description: 'Palette name: 1 to 50 characters.' })
  palette?: string | null;

  @Field(() => CustomColorsInput, { nullable: true, description: 'The three colours, replaced as a whole.' })
  customColors?: CustomColorsInput | null;
}

@InputType({
  description:
    'Colours as `#RRGGBB`. White text has to be readable on each: a contrast of at least 4.5 (WCAG 2.2, 1.4.3).',
})
export class CustomColorsInput {
  @Field(() => String, { description: 'Primary colour.' })
  primary!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Primary colour under the pointer; absent or null, 86 % of each channel of the primary one.',
  })
  primaryHover?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Primary colour in its dark shade; absent or null, 54 % of each channel of the primary one.',
  })
  primaryDark?: string | null;
}
