import { ipAddress } from './ip-address.ts'
import { testDetector } from './testing.ts'

testDetector(ipAddress, [
  'from «203.0.113.7», port «203.0.113.7»:8080, net «10.0.0.0»/8.',
  'at the end «203.0.113.7».',
  'v6 «2001:db8::1», [«2001:db8::1»]:443, «fe80::1»%eth0, «::1»',
  'full «2001:0db8:85a3:0000:0000:8a2e:0370:7334» and mapped «::ffff:203.0.113.7»',
  'ports «203.0.113.7».443 > «203.0.113.8».51000: Flags, ip-«203.0.113.7»:3260, «203.0.113.7»%eth0:68, «203.0.113.7»#53',
  'a host broker/«203.0.113.7»:9092 and localhost/«127.0.0.1», «::ffff:203.0.113.7»:52182',
  'v6 «2001:db8:1180:c84c::ad3f:d991:ec2e»:49255 denied, IP6 «2001:db8::1».50422 > «ff02::fb».mdns: «2001:db8::53».domain',
  'eight groups «2001:db8:3:4:5:6:7:8»:51514, /«0:0:0:0:0:0:0:1»:2181, «::1»:6379, «fe80::1»%lo0.1024, peer_«2001:db8::1»:443x',
  'cut off «2606:a000:50d0:c6»:54216 «2600:1700:2800:7d»::https, no port 2606:a000:50d0 and 2024:11:05:10:20:30',
  'versions 12.1.0.2.0, 19.3.0.0.0 and 1.2.3.4.5, code fd00::call(1), deed::face:443, a::b:8080, [::2:10]',
  'blockMap updated: «10.251.110.8»:50010 is added, patched «192.168.1.5», since «127.0.0.1» is up',
  'labelled IP:«2001:db8::1», Adresse:«2001:db8::1»',
  'version 1.2.3.4, v1.2.3.4, Version: 10.0.19045.1, build 120.0.6099.129',
  'Chrome/120.0.0.0 in http://«203.0.113.7»/hosts/«203.0.113.8», version 5.4.3.2 works, 5.4.3.3 does not, «203.0.113.9» neither',
  'a slice list[::2], section 3.2.1.4, foo-1.2.3.4.jar, 99.99.99.99%',
  'numbers 1.2.3, 1.2.3.4.5, 256.1.1.1, 1.2.3.4-beta, 300.200.100.1',
  'times 12:30, 12:30:45, 09:15:30.123',
  'code std::vector, a::b, Foo::Bar, cafe::add, ::, 1:2:3',
  'a MAC address 00:1a:2b:3c:4d:5e and a ratio 16:9',
  'a hash sha256:e3b0c44298fc1c149afbf4c8996fb924',
])
