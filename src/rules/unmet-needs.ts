/** Rules that had nothing to judge by: what they would have found was not looked for, and the analysis says so. */
import type { Limit } from '../model/analysis.js';
import { CLASS_WORDS, type EvidenceClass } from '../model/evidence-classes.js';
import type { Rule } from './define-rule.js';

/** A limit for each set of classes of which the evidence holds none, with the rules that need one of them. */
export function unmetNeeds(rules: readonly Rule[], covered: ReadonlySet<EvidenceClass>): Limit[] {
  const idle = new Map<string, string[]>();
  for (const { name, needs } of rules) {
    if (needs.some((one) => covered.has(one))) continue;
    const missing = needs.map((one) => CLASS_WORDS[one]).join(' or ');
    idle.set(missing, [...(idle.get(missing) ?? []), name]);
  }
  return [...idle].map(([missing, names]) => ({
    what: 'rules that could not run',
    detail: `${names.join(', ')}: ${names.length === 1 ? 'needs' : 'need'} ${missing}`,
  }));
}
