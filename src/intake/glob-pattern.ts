/** Matches paths of sources, which may be those of a stream or of another machine, so no walk over a disk would do. */

/** A pattern for `*` `?` `[a-z]` `[!a]` `{a,b}` within a folder name, and `**` across folders. */
export function globPattern(glob: string): RegExp {
  let source = '';
  let braces = 0;
  for (let i = 0; i < glob.length; i++) {
    const c = glob.charAt(i);
    const set = c === '[' ? /^\[([!^]?)(\]?[^\]/]*)\]/.exec(glob.slice(i)) : null;
    if (set !== null) {
      const [all, negated, members = ''] = set;
      source += `[${negated ? '^/' : ''}${members.replace(/[\\\][^]/g, '\\$&')}]`;
      i += all.length - 1;
    } else if (glob.startsWith('**/', i) && (i === 0 || glob[i - 1] === '/')) {
      source += '(?:[^/]*/)*';
      i += 2;
    } else if (glob.startsWith('**', i)) {
      source += '.*';
      i += 1;
    } else if (c === '*') source += '[^/]*';
    else if (c === '?') source += '[^/]';
    else if (c === '{' && glob.indexOf('}', i) !== -1) {
      source += '(?:';
      braces++;
    } else if (c === '}' && braces > 0) {
      source += ')';
      braces--;
    } else if (c === ',' && braces > 0) source += '|';
    else source += c.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  try {
    return new RegExp(`^${source}${')'.repeat(braces)}$`, 'su');
  } catch {
    // A range the wrong way round, such as `[z-a]`: nothing can match it.
    return /(?!)/;
  }
}
