import { SIGN_WORDS, type SignBits } from './port.ts'

/**
 * How many bits differ between one vector and many, by WebAssembly's instructions for 16 bytes at once: a fifth of the
 * time that JavaScript takes, which has none for counting bits. The program below is the whole of it, and works on a
 * few pages that every index of the process uses in turn.
 */

const ENTRY_BYTES = SIGN_WORDS * 4
const LANE_BYTES = 16
/** So many entries are taken over at once: they and their counts stay in the processor's cache. */
export const ENTRIES_AT_ONCE = 4096
const COUNTS_AT = ENTRY_BYTES
const ENTRIES_AT = COUNTS_AT + ENTRIES_AT_ONCE * 2
const PAGE_BYTES = 65_536
const PAGES = Math.ceil((ENTRIES_AT + ENTRIES_AT_ONCE * ENTRY_BYTES) / PAGE_BYTES)

/** An unsigned number as WebAssembly writes it (LEB128). */
const number = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)])
const list = (items: readonly (readonly number[])[]): number[] => [...number(items.length), ...items.flat()]
const section = (id: number, content: readonly number[]): number[] => [id, ...number(content.length), ...content]
const name = (text: string): number[] => list([...text].map(letter => [letter.charCodeAt(0)]))

const [I32, VECTOR, FUNCTION, VOID] = [0x7f, 0x7b, 0x60, 0x40]
const [LOOP, BRANCH_IF, END] = [0x03, 0x0d, 0x0b]
const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
/** Below 8,192 in two bytes, with a bit to spare for the sign. */
const constant = (value: number): number[] => [0x41, ...number(value)]
const [ADD, LESS] = [0x6a, 0x49]
const simd = (operation: number): number[] => [0xfd, ...number(operation)]
/** At an address that is on the stack, and so many bytes behind it; aligned to 2^0. */
const load = (behind: number): number[] => [...simd(0), 0, ...number(behind)]
const STORE_16 = [0x3b, 0, 0]
const [XOR, COUNT_OF_BYTES, ADD_BYTES] = [simd(0x51), simd(0x62), simd(0x6e)]
const [PAIRS_OF_BYTES, PAIRS_OF_SHORTS] = [simd(0x7d), simd(0x7f)]
const lane = (place: number): number[] => [...simd(0x1b), place]

/** Its parameters, from 0: where the entries are, where they end, where the counts go; and what it adds up. */
const [ENTRY, ENTRIES_END, COUNT, SUM] = [0, 1, 2, 3]

const countLane = (place: number): number[] => [
  ...get(ENTRY),
  ...load(place * LANE_BYTES),
  ...constant(0),
  ...load(place * LANE_BYTES),
  ...XOR,
  ...COUNT_OF_BYTES,
  ...(place === 0 ? [] : ADD_BYTES),
]
const BODY = [
  ...list([[1, VECTOR]]),
  ...[LOOP, VOID],
  ...Array.from({ length: ENTRY_BYTES / LANE_BYTES }, (_, place) => countLane(place)).flat(),
  ...PAIRS_OF_BYTES,
  ...PAIRS_OF_SHORTS,
  ...set(SUM),
  ...get(COUNT),
  ...[...get(SUM), ...lane(0), ...get(SUM), ...lane(1), ADD],
  ...[...get(SUM), ...lane(2), ADD, ...get(SUM), ...lane(3), ADD],
  ...STORE_16,
  ...[...get(COUNT), ...constant(2), ADD, ...set(COUNT)],
  ...[...get(ENTRY), ...constant(ENTRY_BYTES), ADD, ...set(ENTRY)],
  ...[...get(ENTRY), ...get(ENTRIES_END), LESS, BRANCH_IF, 0],
  END,
  END,
]
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, list([[FUNCTION, ...list([[I32], [I32], [I32]]), ...list([])]])),
  ...section(2, list([[...name('own'), ...name('memory'), 0x02, 0x00, ...number(PAGES)]])),
  ...section(3, list([[0]])),
  ...section(7, list([[...name('count'), 0x00, 0]])),
  ...section(10, list([[...number(BODY.length), ...BODY]])),
])

/** What is used of it; the types of the language have it with those of browsers alone. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const memory = new WebAssembly.Memory({ initial: PAGES })
const { count } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { own: { memory } }).exports as {
  readonly count: (entry: number, end: number, counts: number) => void
}
const query = new Uint32Array(memory.buffer, 0, SIGN_WORDS)
const counts = new Uint16Array(memory.buffer, COUNTS_AT, ENTRIES_AT_ONCE)
const entries = new Uint32Array(memory.buffer, ENTRIES_AT, ENTRIES_AT_ONCE * SIGN_WORDS)

/**
 * How many of the 1,024 bits differ between one and each of the others, which are the words of at most
 * `ENTRIES_AT_ONCE`. What is answered holds until it is asked again.
 */
export const countDifferingBits = (one: SignBits, others: Uint32Array): Uint16Array => {
  query.set(one)
  entries.set(others)
  if (others.length > 0) count(ENTRIES_AT, ENTRIES_AT + others.byteLength, COUNTS_AT)
  return counts.subarray(0, others.length / SIGN_WORDS)
}
