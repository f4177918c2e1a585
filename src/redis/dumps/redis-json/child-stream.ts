/**
 * The tokens of a dump as keys and their elements. Only one element is put together at a time: a queue of a million
 * finished jobs is one sorted set, which is told member by member.
 */
import type { Token } from 'stream-json/parser.js';

/** A JSON value that was put together; numbers, `true` and `false` as their text, `null` as undefined. */
export type Built = string | undefined | readonly Built[] | ReadonlyMap<string, Built>;

export interface ChildHandler {
  /** An object at the level of interest begins. `name`: of the member it stands in, if in one. */
  begin(name: string): void;
  /** A member of that object that is a single value. */
  scalar(name: string, value: string | undefined): void;
  /** A member that is an array or object. Returns whether its children are wanted. */
  open(name: string, isArray: boolean): boolean;
  /** One child of the open member: of an object with its name, of an array with none. */
  child(name: string, value: Built): void;
  /** The children of a child of the open member are told one by one as well. */
  descends(name: string): boolean;
  close(): void;
  end(): void;
}

interface Frame {
  readonly role: 'outer' | 'object' | 'member' | 'through' | 'built' | 'ignored';
  readonly isArray: boolean;
  readonly items: Built[];
  readonly members: Map<string, Built>;
  key: string;
}

export class ChildStream {
  readonly #handler: ChildHandler;
  readonly #level: number;
  #stack: Frame[] = [];

  /** @param level how many arrays or objects stand around the objects of interest. */
  constructor(handler: ChildHandler, level: number) {
    this.#handler = handler;
    this.#level = level;
  }

  get isOpen(): boolean {
    return this.#stack.length > 0;
  }

  /** Forgets what is open: the text broke off there. */
  reset(): void {
    this.#stack = [];
  }

  take(token: Token): void {
    switch (token.name) {
      case 'startArray':
      case 'startObject':
        this.#open(token.name === 'startArray');
        break;
      case 'endArray':
      case 'endObject':
        this.#close();
        break;
      case 'keyValue': {
        const frame = this.#stack.at(-1);
        if (frame) frame.key = token.value;
        break;
      }
      case 'stringValue':
      case 'numberValue':
        this.#put(token.value);
        break;
      case 'trueValue':
      case 'falseValue':
        this.#put(String(token.value));
        break;
      case 'nullValue':
        this.#put(undefined);
        break;
      default:
    }
  }

  #open(isArray: boolean): void {
    const around = this.#stack.at(-1);
    const role = this.#roleIn(around, isArray);
    this.#stack.push({ role, isArray, items: [], members: new Map(), key: '' });
    if (role === 'object') this.#handler.begin(around?.isArray === false ? around.key : '');
  }

  #roleIn(around: Frame | undefined, isArray: boolean): Frame['role'] {
    switch (around?.role) {
      case 'object':
        return this.#handler.open(around.key, isArray) ? 'member' : 'ignored';
      case 'member':
        return isArray && this.#handler.descends(around.key) ? 'through' : 'built';
      case 'through':
      case 'built':
        return 'built';
      case 'ignored':
        return 'ignored';
      default:
        if (this.#stack.length < this.#level) return 'outer';
        return isArray ? 'ignored' : 'object';
    }
  }

  #close(): void {
    const frame = this.#stack.pop();
    switch (frame?.role) {
      case 'object':
        this.#handler.end();
        break;
      case 'member':
        this.#handler.close();
        break;
      case 'built':
        this.#put(frame.isArray ? frame.items : frame.members);
        break;
      default:
    }
  }

  #put(value: Built): void {
    const frame = this.#stack.at(-1);
    switch (frame?.role) {
      case 'object':
        if (value === undefined || typeof value === 'string') this.#handler.scalar(frame.key, value);
        break;
      case 'member':
        this.#handler.child(frame.isArray ? '' : frame.key, value);
        break;
      case 'through':
        this.#handler.child('', value);
        break;
      case 'built':
        if (frame.isArray) frame.items.push(value);
        else frame.members.set(frame.key, value);
        break;
      default:
    }
  }
}
