/**
 * Tokens of services, by the prefix that the vendor publishes so that scanners can recognise them. One line a format:
 * the prefix, then the characters of the body and the fewest that are taken for a token (below the published length:
 * a log line may have cut it).
 *
 *   h  hex      u  upper case and digits      a  letters and digits
 *   w  letters, digits, `_` and `-`   d  the same with `.` and `=`          b  base64 and base64url
 */
const FORMATS = `
aact_ w30
ABSK b80
AIK_CI_ a20
AIK_CLIENT_ a20
AIK_SECRET_ a40
akaa- w28
akab- w28
AKCp a60
AKID a28
AKLT w36
alch_ a28
alcht_ a28
api_live. w20
api_live_ca. w20
api_live_us. w20
apify_api_ a30
apk_ b80
apk_user_ b80
AQ.Ab8RN6 w30
AQVN w32
AstraCS: a20
ATTA h60
bb_live_ w20
bb_ma_ a26
bb_pr_ a26
BBFF- a30
bce-v3/ b30
bedrock-api-key- b20
bkaa_ w40
bkaj_ w40
bkar_ w40
bkat_ a32
bkct_ w40
bkpat_ w40
bkps_ w40
bkpt_ w40
bkua_ a32
BSA w24
CAIS b60
CCDB1_ w50
CCIPAT_ w40
cfat_ w36
cfk_ w36
CFPAT- w40
cfut_ w36
CLOJARS_ a50
cmVmd a50
cnvca w45
cog_ a48
configcat-sdk- b40
cosmo_ h28
cr- h50
csa_ a32
csk- a40
da2- a24
ddp_ a32
dnkey- d60
dp.audit. a36
dp.ct. a36
dp.pt. a36
dp.sa. a36
dp.said. a36
dp.scim. a36
dp.st. d36
duffel_live_ b36
duffel_test_ b36
dvc_client_ a8
dvc_mobile_ a8
dvc_server_ a8
e2b_ h36
EAAB a80
EAAC a80
EAAG a80
EAAM a80
endr+ w16
essu_ b50
eu1. b20
EXO a24
EZAK a50
EZTK a50
fc- h32
fio-u- b50
FLWPUBK- a32
FLWPUBK_TEST- a12
FLWSECK- a32
FLWSECK_TEST- a12
fm1a_ b80
fm1r_ b80
fm2_ b80
fo1_ w36
fw_ a22
gcntfy- w60
GR1348941 w18
hawk. d36
HRKU- w30
ico- a30
ion_ a36
jina_ a40
key_live_ a20
key_test_ a20
launchdarkly- w40
lip_ a20
live_pub_ h28
lsv2_pt_ w40
lsv2_sk_ w40
mdb_sa_sk_ w36
mercury_production_ w40
mercury_sandbox_ w40
mergify_application_key_ w36
Mid-client- w16
Mid-server- w16
mlsn. a30
mobile_ a32
na1. b20
napi_ a50
nfp_ a36
nvapi- w50
nyk_ a40
os_v2_app_ a80
os_v2_org_ a80
oy2 a40
p8e- a30
pa- w40
packagist_ w28
pat-eu1- w36
pat-na1- w36
pat-na2- w36
pat_ a40
pcsk_ w50
pdl_live_apikey_ w40
pdl_sdbx_apikey_ w40
persona_production_ w20
persona_sandbox_ w20
pgar_ a20
phc_ w38
phs_ w38
phx_ w38
pina_ w20
PMAK- w40
PMAT- a24
pnb_ a32
pnu_ a32
polar_at_ w20
polar_oat_ w20
polar_pat_ w20
pplx- a32
prf_ w24
pri_ h32
pscale_oauth_ d30
pscale_pw_ d30
pscale_tkn_ d30
pub-c- w36
pul- a36
QN_ h28
r8_ a30
ramp_sec_ a36
rdme_ a50
retool_ a20
RGAPI- w36
rnd_ a26
rootly_ h40
rpa_ a28
rubygems_ a40
rzp_live_ a14
rzp_test_ a14
s-s4t2af- h50
s-s4t2ud- h50
samsara_api_ a24
SCW u17
sec-c- w36
secret- a40
server_ a32
sgd_ w36
sgp_ w36
shippo_live_ h32
shippo_test_ h32
shltm_ a30
sk-api- w60
sk_pr_ w40
sl. d100
slk_ h50
sm_aat_ a16
sm_pat_ a16
sm_sat_ a16
spu- a30
sqa_ h36
sqb_ h36
sqp_ h36
squ_ h36
storecove_ a24
STS. a16
sub-c- w36
SWMKEY-1- b36
SWMTKN-1- w60
test_pub_ h28
tfp_ d40
tgp_v1_ w36
thog-key- h16
tk-us- w40
tskey- w20
tss_ w30
tvly- w24
ucat_ a24
unkey_ a20
v1.0- w60
VF. d36
vk1.a. w60
vtwn_ w20
waka_ w32
wandb_v1_ w40
web_ a32
wrka-ey d60
xai- w50
xkeysib- w60
xsmtpsib- w60
y0_ w36
zpka_ w36
`

/** The classes of the bodies. */
const BODIES: Readonly<Record<string, string>> = {
  h: '[0-9A-Fa-f]',
  u: '[A-Z0-9]',
  a: '[A-Za-z0-9]',
  w: String.raw`[\w-]`,
  d: String.raw`[\w.=-]`,
  b: '[A-Za-z0-9+/=_-]',
}

/** The prefix of each format, to try what a text made of prefixes costs. */
export function servicePrefixes(): string[] {
  return FORMATS.trim()
    .split('\n')
    .map(line => line.slice(0, line.indexOf(' ')))
}

/** All of them as one pattern without capturing groups; the prefixes with the same body share it. */
export function serviceTokenPattern(): RegExp {
  const prefixesByBody = new Map<string, string[]>()
  for (const line of FORMATS.trim().split('\n')) {
    const [prefix = '', body = ''] = line.split(' ')
    const pattern = `${BODIES[body.charAt(0)]}{${body.slice(1)},}`
    const prefixes = prefixesByBody.get(pattern) ?? []
    prefixes.push(prefix.replace(/[.+]/g, '\\$&'))
    prefixesByBody.set(pattern, prefixes)
  }
  return new RegExp(
    Array.from(prefixesByBody, ([body, prefixes]) => `(?:${prefixes.join('|')})${body}`).join('|'),
  )
}
