import { testDetector } from '../testing.ts'
import { nationalId } from './national-id.ts'

testDetector(nationalId, [
  'US «536-90-4399», SSN: «536904399», social security number «536 90 4399»',
  'US never given: 000-12-3456, 666-12-3456, 536-00-4399, 536-90-0000, 078-05-1120; ITIN «912-70-1234»',
  'US without a word or dashes: 536904399, 536 90 4399',
  'ES DNI «12345678Z», «12.345.678-Z», wrong 12345678A; NIE «X1234567L», wrong X1234567A',
  'FR «1 85 05 78 006 084 91», «185057800608491», wrong 185057800608490; Corsica «2 84 05 2A 006 084 34»',
  'IT «RSSMRA85T10A562S», wrong RSSMRA85T10A562T',
  'NL BSN «111222333», burgerservicenummer: «111.222.333», without a word 111222333, BSN 111222334',
  'PL PESEL «44051401359», wrong 44051401358, no date 44993001357',
  'BR CPF «529.982.247-25», «52998224725», wrong 529.982.247-24, one digit 111.111.111-11',
  'DE Steuer-ID «86095742719», IdNr. «86 095 742 719», without a word 86095742719, Steuer-ID 86095742718',
  'GB «AB 12 34 56 C», NI number «AB123456C», without a word AB123456C, never given GB 12 34 56 C',
  'CH AHV «756.9217.0769.85», «7569217076985», wrong 756.9217.0769.84',
  'order 536-90-43991, ticket 12345678, date 2024-05-10, phone-like 555-12-345',
])
