/** Wrong use is answered by one line that says what is wrong and where to look. */
import { describe, expect, test } from 'vitest';
import { bullmortem } from './command.js';

describe('wrong use', () => {
  test.each([
    [['analize', 'x'], "unknown command 'analize' (Did you mean analyze?)"],
    [['analyze'], "missing required argument 'evidence'"],
    [['analyze', '--fromat', 'x', 'y'], "unknown option '--fromat' (Did you mean --format?)"],
    [['prove', '--before', 'x'], "required option '--after <evidence...>' not specified"],
  ])('%j', (args, said) => {
    const { code, stdout, stderr } = bullmortem(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`bullmortem: ${said}; see bullmortem --help\n`);
  });
});
