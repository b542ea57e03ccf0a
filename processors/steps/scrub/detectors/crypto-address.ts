import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { introducing, isIntroducedBy } from './context.ts'
import { type Detector, occurrences } from './detector.ts'

/** Ethereum addresses; Bech32 with the prefixes of some chains; Base58 in the length of addresses. */
const WRITTEN =
  /(?<![\p{L}\p{N}_])(?:(0x[0-9a-f]{40})|((?:bc|tb|ltc|addr|cosmos)1[a-z0-9]{20,100})|([1-3DLMTXmnt][1-9A-HJ-NP-Za-km-z]{25,34}))(?![\p{L}\p{N}_])/giu
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/
/** Base58Check payloads: a version of one or two bytes, and a hash of twenty. */
const PAYLOADS: ReadonlySet<number> = new Set([21, 22])
const MOST_BECH32 = 120

const WALLET_WORDS = introducing(
  '(?:wallet|eth|ether|ethereum|erc-?20|metamask|crypto\\p{L}*|usdt|usdc|bnb|polygon|matic)(?:[ _-]?(?:address|addr|wallet))?|(?:send|deposit|pay|withdraw\\p{L}*)[^\\d\\n]{0,12}(?:to|address)|portemonnaie|billetera|cartera|portafoglio|portfel\\p{L}*|carteira|geldbörse|portefeuille',
)

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const base58check = createBase58check(sha256)

/** Addresses of blockchains, told by their checksum. An Ethereum address without a checksum needs a word before it. */
export const cryptoAddress: Detector = {
  kind: 'CRYPTO',
  *find(text) {
    for (const { 0: written, 1: hexadecimal, 2: segwit, index } of occurrences(WRITTEN, text)) {
      const isAddress =
        hexadecimal !== undefined
          ? passesEip55(hexadecimal) || isIntroducedBy(WALLET_WORDS, text, index)
          : segwit !== undefined
            ? isBech32(segwit)
            : isBase58Check(written)
      if (isAddress) yield { start: index, end: index + written.length }
    }
  },
}

const isOneCase = (text: string): boolean => text === text.toLowerCase() || text === text.toUpperCase()

/** ERC-55: each letter's case is a bit of the address's hash. An address in one case has no checksum. */
const passesEip55 = (address: string): boolean => {
  const digits = address.slice(2)
  if (isOneCase(digits)) return false
  const hash = Buffer.from(keccak_256(Buffer.from(digits.toLowerCase()))).toString('hex')
  return [...digits].every((digit, index) => {
    const isRaised = Number.parseInt(hash[index] ?? '0', 16) > 7
    return digit === (isRaised ? digit.toUpperCase() : digit.toLowerCase())
  })
}

/** BIP 173 and BIP 350. */
const isBech32 = (address: string): boolean =>
  isOneCase(address) &&
  (bech32.decodeUnsafe(address, MOST_BECH32) ?? bech32m.decodeUnsafe(address, MOST_BECH32)) !== undefined

const isBase58Check = (address: string): boolean => {
  if (!BASE58.test(address)) return false
  try {
    return PAYLOADS.has(base58check.decode(address).length)
  } catch {
    return false
  }
}
