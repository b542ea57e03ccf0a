import { cryptoAddress } from './crypto-address.ts'
import { testDetector } from './testing.ts'

testDetector(cryptoAddress, [
  'to «1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa», «3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy».',
  '«bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4», «BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4»',
  'taproot «bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0»',
  '«0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed» with its checksum',
  'my wallet is «0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed», ETH address: «0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED»',
  'commit 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed, wrong case 0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'wrong checksum 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb, bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
  'transaction 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  'a class TransactionListViewControllerFactory, an id 1b9d6bcdbbfd4b2d9b5dab8dfbbd4bed',
])
