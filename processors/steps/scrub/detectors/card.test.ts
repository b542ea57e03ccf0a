import { card } from './card.ts'
import { testDetector } from './testing.ts'

testDetector(card, [
  'visa «4111111111111111», again «4111 1111 1111 1111» and «4111-1111-1111-1111»',
  'amex «378282246310005» and «3782 822463 10005»',
  'mastercard «5555555555554444» «2223003122003222»',
  'discover «6011111111111117», jcb «3530111333300000», diners «30569309025904»',
  'unionpay «6200000000000005», maestro «6759649826438453»',
  'full width «４１１１ １１１１ １１１１ １１１１», arabic «٤١١١١١١١١١١١١١١١»',
  'in a row: order 12 «4111 1111 1111 1111» 03',
  'no-break spaces «4111 1111 1111 1111»',
  'wrong check digit: 4111111111111112',
  'no issuer: 1234567812345670 and 9999999999999995',
  'order number 1000000000000008, tracking 00340434161094042557',
  'a hash 4111111111111111ab and a key sk4111111111111111',
  'not grouped as a card: 41 11 11 11 11 11 11 11, 411111111111 1111',
  'timestamp 1767225600000, nanoseconds 1767225600000000000',
  'zeros 0000000000000000, fours 4444444444444444',
  'uuid 41111111-1111-4111-8111-111111111111',
])
