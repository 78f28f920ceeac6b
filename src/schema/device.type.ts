import { Field, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from './scalars.js';

@ObjectType({
  description: 'One report of the web traffic that a device looked after (specification 2.6 `web_stat`).',
  simpleResolvers: true,
})
export class WebStat {
  @Field(() => DateTimeScalar, { description: 'When the device reported.' })
  datetime!: Date | string;

  @Field(() => Int, { description: 'Requests that the web application firewall stopped.' })
  wafProtection!: number;

  @Field(() => Int, { description: 'All requests that the device looked after.' })
  totalManagedRequests!: number;
}
