/**
 * Tokens of services, by the prefix that the vendor publishes so that scanners can recognise them. One line a format:
 * the prefix, then the characters of the body and the fewest that are taken for a token (below the published length:
 * a log line may have cut it).
 *
 *   h  hex      u  upper case and digits      a  letters and digits
 *   w  letters, digits, `_` and `-`   d  the same with `.` and `=`          b  base64 and base64url
 *
 * A `?` at the end says that names begin so too (`pk_`, `account-`): the body must look made by chance.
 */
const FORMATS = `
3MVG9 b70
5AEP861 d70
A21AA w60
aact_ w30
AAPK w60
AAPT w60
ABSK b80
account- a20?
act_ a22?
AIK_CI_ a20
AIK_CLIENT_ a20
AIK_SECRET_ a40
aio_ a24
ak- a20?
AK1 b50
ak_ a20?
akaa- w28
akab- w28
AKC a60
AKID a28
AKLT w36
alch_ a28
alcht_ a28
aph0_ w30
api_ a40
API_KEY u32?
api_live. w20
api_live_ca. w20
api_live_us. w20
apify_api_ w30
apk_ b80?
apk_user_ b80
AQ.Ab8RN6 w30
AQVN w32
argos_ a36?
as- a20?
AstraCS: a20
ATTA h60
AVNS_ w16
bb_live_ w20
bb_ma_ a26
bb_pr_ a26
BBDC- b40
BBFF- a30
BBUS- a30
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
BQ w140?
BSA w24?
CAIS b60
cal_ h32
CCDB1_ w50
CCIPAT_ w40
cfat_ w36
cfk_ w36
cflt b50
CFPAT- w40
cfut_ w36
chpt_ w12
ck- a36?
ck_ h40
client- a40?
Client_Id_ h40
Client_Secret_ h40
CLOJARS_ a50
cmVmd a50
cnvca w45
cog_ a48?
configcat-sdk- b40
console- a40?
cosmo_ h28
cr- h50
crsr_ h60
cs_ h40
csa_ a32?
csb_v1_ w36
csk- a40
cto_ a30
ctp_ a30
ctr_ a30
cu_ h32
cxtp_ a28
cxup_ a28
da2- a24
dbtc_ w36
dbts_ w36
dbtu_ w36
ddo_ w36
ddp_ w36
ddw_ w36
dG9rO b50
dnkey- d60
dp.audit. a36
dp.ct. a36
dp.pt. a36
dp.sa. a36
dp.said. a36
dp.scim. a36
dp.st. d36
dtn_ h60
dub_ a22?
duffel_live_ b36
duffel_test_ b36
dvc_client_ a8
dvc_mobile_ a8
dvc_server_ a8
dyn_ a50?
e2b_ h36
EAAA w22?
EAAB a80
EAAC a80
EAACEdEose0cBA a20
EAAG a80
EAAM a80
emb_ h60
endr+ w16
esecret_ a24
essu_ b50
eu1. b20
EXO a24?
eyJrIjoi b50
EZAK a50
EZTK a50
fc- h32
fhb- h32
fio-u- b50
fk- w40
flp_ a40?
FLWPUBK- a32
FLWPUBK_TEST- a12
FLWSECK- a32
FLWSECK_TEST- a12
fm1a_ b80
fm1r_ b80
fm2_ b80
fnA w36
fnE w36
fnF w36
fo1_ w36
FQoGZXIvYXdz b80
fw_ a22?
FwoGZXIvYXdz b80
gb_api_ a40
gcntfy- w60
glwt- w20
GOOG1 u50
GR1348941 w18
hawk. d36
hbp_ a30?
hl_sk_ h40
HRKU- w30
ico- a30
IGAA a80
IGQV w20
ion_ a36?
IQoJb3JpZ2lu b80
jina_ a40
jsrd_ w24
jsrp_ w24
jsrs_ w24
key- a32?
key- a50
key_live_ a16
key_test_ a16
kit_ h32
klarna_live_ b40
klarna_test_ b40
launchdarkly- w40
lip_ w16?
live_pub_ h28
lk_ a20?
llx- a44
lma_ b40
lmb_ b40
lmv1. d40
ls__ h32
lsv2_pt_ w40
lsv2_sk_ w40
lsxs_pt_ a30
lsxs_rt_ a30
m0- a38
master- a20?
md- w22?
mdb_sa_id_ h20
mdb_sa_sk_ w36
mercury_production_ w40
mercury_sandbox_ w40
mergify_application_key_ w36
Mid-client- w10
Mid-server- w10
mlsn. a30
mobile_ a32?
mxb_ a30
na1. b20
napi_ a50
nbp_ a30
nfb_ a36
nfc_ a36
nfo_ a36
nfp_ a36
nfu_ a36
nhp_ a20
nk- w40?
nrt_ a40
nsec1 a50
nvapi- w50
nyk_ w40
oa2-client-id_ w32
oa2-client-secret_ w32
odt_ a32
ory_ak_ w28
ory_apikey_ w28
ory_at_ w28
ory_pat_ w28
ory_rt_ w28
ory_wak_ w28
os_v2_app_ a80
os_v2_org_ a80
ovsxat_ w36
ovsxp_ w36
oy2 a40
p8e- a30
pa- w40
packagist_ w28
pat-eu1- w36
pat-na1- w36
pat-na2- w36
pat_ a40?
pcsk_ w50
pdl_live_apikey_ w40
pdl_ntfset_ w40
pdl_sdbx_apikey_ w40
persona_production_ w20
persona_sandbox_ w20
pgar_ a20
phc_ w38
phs_ w38
phx_ w38
pina_ w20
pk-lf- w36
pk_ a20?
pkey_ a16?
pl_ h32
PMAK- w40
PMAT- a24
pnb_ a32
pnu_ a32
polar_at_ w20
polar_oat_ w20
polar_pat_ w20
pplx- a32
prf_ w20?
pri_ h32
private_ a16?
pscale_oauth_ d30
pscale_pw_ d30
pscale_tkn_ d30
pss_ w60
ptr_ b20?
pub-c- w36
pul- a36
px-api- w32
px-dep- w32
pylf_v1_ w30
QN_ h28
qov_ w36
QUl6YVN b36
r8_ a30
ramp_id_ a36
ramp_sec_ a36
rdme_ a50
retool_ a20?
RGAPI- w36
rh-api- w32
rnd_ a26?
rootly_ h40
rpa_ a28
rubygems_ a40
rzp_live_ a14
rzp_test_ a14
s-s4t2af- h50
s-s4t2ud- h50
salad_cloud_ w14
samsara_api_ a24
SCW u17?
sec-c- w36
secret- a40?
secret-live- d30
secret-test- d30
secret_ a16?
secret_admin_ a20
secret_readonly_ a20
secret_user_ a20
server_ a32?
sgamp_user_ w36
sgd_ w36
sgp_ w36
shippo_live_ h32
shippo_test_ h32
shltm_ w30
signkey-branch- h32
signkey-prod- h32
signkey-test- h32
sk-api- w60
sk_ a20?
sk_car_ w16
sk_pr_ w40
skey_ a16?
sktsec_ w36
sl. d100
slk_ h50
sm_aat_ a16
sm_pat_ a16
sm_sat_ a16
snyk_sat. d40
snyk_uat. d40
spu- a30
sqa_ a36
sqb_ a36
sqco_ w50
sqp_ a36
squ_ a36
standard_ h100
storecove_ a24
STS. a16?
sub-c- w36
SWMKEY-1- b36
SWMTKN-1- w60
test_pub_ h28
tfp_ d40
tgp_v1_ w36
tgpak_ a36
tgpat_ a36
thog-key- h16
thog-secret- h16
tk-us- w40
tkn.v1_ b60
tlk_ a36
tly- a30?
tnt_ a36
tpuf_ w30
tr_dev_ a20
tr_pat_ a36
tr_preview_ a20
tr_prod_ a20
tr_stg_ a20
tskey- w20
tss_ w20
tvly- w24
u-s4t2af- h50
u-s4t2ud- h50
ucat_ a24
unkey_ a20?
v1.0- d60
vercel_blob_rw_ w30
VF. d36
vk1.a. w60
vtwn_ w20
waka_ w32
waka_tok_ w36
wandb_v1_ w40
web_ a32?
WPL_AP0. d16
WPL_AP1. d16
wrka d60
xaat- w36
xai- w50
xapt- w36
xau_ a36
xkeysib- w60
xnd_development_ w30
xnd_production_ w30
xnd_public_ w30
xprv a100
xsmtpsib- w60
y0_ w36
YC w38?
zpka_ w36
zqt_ w30
zut_ w30
zwt_ w30
ZXlK b40
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

export interface ServiceFormat {
  readonly prefix: string
  /** A letter of `BODIES`. */
  readonly body: string
  /** The fewest characters of the body. */
  readonly length: number
  /** Names begin with the prefix too. */
  readonly isShared: boolean
}

export function serviceFormats(): ServiceFormat[] {
  return FORMATS.trim()
    .split('\n')
    .map(line => {
      const [prefix = '', body = ''] = line.split(' ')
      return {
        prefix,
        body: body.charAt(0),
        length: Number.parseInt(body.slice(1), 10),
        isShared: body.endsWith('?'),
      }
    })
}

/**
 * The formats as one pattern without capturing groups, those that names share or the others; the prefixes with the same body
 * share it.
 */
export function serviceTokenPattern({ shared }: { shared: boolean }): RegExp {
  const prefixesByBody = new Map<string, string[]>()
  for (const { prefix, body, length } of serviceFormats().filter(({ isShared }) => isShared === shared)) {
    const pattern = `${BODIES[body]}{${length},}`
    const prefixes = prefixesByBody.get(pattern) ?? []
    prefixes.push(prefix.replace(/[.+]/g, '\\$&'))
    prefixesByBody.set(pattern, prefixes)
  }
  return new RegExp(
    Array.from(prefixesByBody, ([body, prefixes]) => `(?:${prefixes.join('|')})${body}`).join('|'),
  )
}
