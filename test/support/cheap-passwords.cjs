/**
 * Loaded before everything else of a test's process and of the programs that it starts. A password's hash takes a tenth of a second of the
 * processor, so that whoever steals hashes gets nowhere; tests have many hundred made of passwords that are written beside them. Here one
 * takes nothing. What is hashed, compared and stored is otherwise the same, and what is sealed with a passphrase keeps its cost.
 */
const crypto = require('node:crypto')
const { syncBuiltinESMExports } = require('node:module')

/** As better-auth hashes a password. */
const ofPassword = ({ N, r }) => N === 16_384 && r === 16
const { scrypt } = crypto

crypto.scrypt = (password, salt, bytes, cost, done) => {
  const isCheap = ofPassword(cost) && process.env.ASSAY_TEST_PASSWORDS !== 'at full cost'
  scrypt(password, salt, bytes, isCheap ? { ...cost, N: 2 } : cost, done)
}
syncBuiltinESMExports()
