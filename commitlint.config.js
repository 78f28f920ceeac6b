/** Subjects as CONTRIBUTING.md describes them; merges are left out. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'header-max-length': [2, 'always', 72],
    'body-max-line-length': [0],
    'footer-max-line-length': [0],
    // "refactor: SOFA's part" begins with a name.
    'subject-case': [0],
  },
};
