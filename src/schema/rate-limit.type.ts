import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What the caller may still do under one limit.', simpleResolvers: true })
export class RateLimitPolicy {
  @Field(() => String, { description: 'Which limit: `reads`, `writes`, `uploads`, `searches` or `graphql`.' })
  name!: string;

  @Field(() => Int, { description: 'Points that one token may use in a window.' })
  limit!: number;

  @Field(() => Int, { description: 'Points that are left in this window.' })
  remaining!: number;

  @Field(() => Int, { description: 'Seconds that a window lasts.' })
  windowSeconds!: number;

  @Field(() => Int, { description: 'Seconds until the window ends and all points are there again.' })
  resetInSeconds!: number;

  @Field(() => Date, { description: 'When the window ends.' })
  resetAt!: Date;
}

@ObjectType({ description: "The caller's rate limits.", simpleResolvers: true })
export class RateLimit {
  @Field(() => Int, { description: 'Points of `graphql` that this operation took; 0 when it asked for nothing else.' })
  cost!: number;

  @Field(() => [RateLimitPolicy], { description: 'Every limit that is switched on.' })
  policies!: RateLimitPolicy[];
}
