/** 32 bits of a word: FNV-1a over its UTF-16 units, mixed by murmur3's finalizer, since the low bits of FNV alone are poor. */
export const hashWord = (word: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
