import { looseEmail } from './loose-email.ts'
import { testDetector } from './testing.ts'

testDetector(looseEmail, [
  'write to «kim @gmail.com», «kim@ yahoo.co.uk» or «kim  @  outlook.com»',
  '«kim.example @example.org», «kim+tag@ example.com», «kim_99 @ mail.example.de»',
  'follow us @example.com, thanks @kim, meet @ office.example, build 1.2.3 @ example.org, README.md @ example.org',
])
