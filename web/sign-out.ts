import { ask, resetAnswers, send } from './api.js';
import { graphql } from './gql/index.js';
import { closeSession } from './session.js';

const OwnToken = graphql(`
  query OwnToken {
    viewer {
      token {
        databaseId
        origin
      }
    }
  }
`);

const RevokeOwnToken = graphql(`
  mutation RevokeOwnToken($input: RevokeApiTokenInput!) {
    revokeApiToken(input: $input) {
      apiToken {
        id
      }
    }
  }
`);

/** Ends the token of a sign-in, which is for these pages alone; one that was pasted is the reader's to keep. */
export async function signOut(): Promise<void> {
  const { data } = await ask(OwnToken, {});
  const own = data?.viewer?.token;
  if (own?.origin === 'SIGN_IN') await send(RevokeOwnToken, { input: { tokenId: own.databaseId } });
  resetAnswers();
  closeSession();
}
