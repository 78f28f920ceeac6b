import { expect } from '@jest/globals';
import type { Answer, Envelope } from './clients.js';

/** Fails with request, response and request id unless the status is the expected one. */
export function expectStatus(answer: Answer<unknown>, status: number): void {
  if (answer.status !== status) throw new Error(`Expected status ${status}.\n${answer.story}`);
}

/** Expects a REST error of the closed list: its status, exactly these messages, and no `data` key. */
export function expectError(answer: Answer<Envelope>, status: number, messages: readonly (string | number)[]): void {
  expectStatus(answer, status);
  const shown = failsWithoutCode(answer) ? messages.filter((message) => typeof message === 'string') : messages;
  withStory(answer, () => expect(answer.text).toBe(JSON.stringify({ error: 1, messages: shown })));
}

const WITHOUT_CODE =
  /^> \w+ \/api\/v1\/(?:organizations\/[^/]+\/branding|v-ciso\/incidents\/[^/]+\/[^/]+\/attachments)(?:\?.*)?$/m;

/**
 * Whether a response is of one of the two paths whose `messages` never have an integer code (specification 4.3, 7.5).
 */
export function failsWithoutCode({ story }: Pick<Answer<unknown>, 'story'>): boolean {
  return WITHOUT_CODE.test(story);
}

/** Expects a REST success and returns its payload. */
export function expectData(answer: Answer<Envelope>, status = 200) {
  expectStatus(answer, status);
  withStory(answer, () =>
    expect({ error: answer.body.error, messages: answer.body.messages }).toEqual({ error: 0, messages: [] }),
  );
  return answer.body.data;
}

/** Runs expectations on a response; a failure also shows the exchange. */
export function withStory(answer: Pick<Answer<unknown>, 'story'>, check: () => void): void {
  try {
    check();
  } catch (error) {
    (error as Error).message += `\n\n${answer.story}`;
    throw error;
  }
}
