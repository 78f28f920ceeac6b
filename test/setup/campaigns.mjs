import suite from '../../jest.config.js';

/** What takes long: `npm run test:campaigns`. */
export default { ...suite, rootDir: '../..', testMatch: ['**/*.campaign.ts'] };
