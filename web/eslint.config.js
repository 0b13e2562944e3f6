import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

// Types and accessibility are svelte-check's; this looks for what it does not see.
export default ts.config(
  { ignores: ['dist/', 'src/lib/api/schema.ts', 'test-results/', 'public/student.js', 'src/lib/see/standalone/main.js'] },
  ...ts.configs.recommendedTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'], svelteConfig },
    },
    rules: {
      eqeqeq: 'error',
      'svelte/no-unused-props': 'off', // It sees the fields of an object's type, not the props.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Values are replaced, never changed in place ($state.raw), so plain maps and sets are right.
      'svelte/prefer-svelte-reactivity': 'off',
      // Types that come out of .svelte files are unknown to ESLint; svelte-check knows them.
      ...Object.fromEntries(
        ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [`@typescript-eslint/no-unsafe-${what}`, 'off']),
      ),
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  { files: ['**/*.js', '**/*.mjs'], ...ts.configs.disableTypeChecked },
);
