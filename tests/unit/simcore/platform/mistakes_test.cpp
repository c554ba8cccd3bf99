// SPDX-License-Identifier: MIT
//
// Wrong platform files: one line each with the place, what was found and what is accepted.
#include <catch2/catch.hpp>

#include "tests/support/platform_texts.hpp"

using namespace rehearse::testing;
using Catch::Contains;

namespace {

// In the third line, in a zone of this kind with hosts a and b, link l and split link d.
std::string in_zone(const std::string& elements, const std::string& routing = "Full") {
  const std::string mistake =
      mistake_in("<platform version='4.1'><zone id='z' routing='" + routing +
                 "'><host id='a' speed='1Gf' coordinates='0 0 0'/>\n"
                 "<host id='b' speed='1Gf' coordinates='0 0 0'/><link id='l' bandwidth='1MBps'/>"
                 "<link id='d' bandwidth='1MBps' sharing_policy='SPLITDUPLEX'/>\n" +
                 elements + "</zone></platform>");
  CHECK_THAT(mistake, Contains(":3: "));
  return mistake;
}

std::string in_cluster(const std::string& attributes) {
  std::string all = " id='c' prefix='c-' suffix='' radical='0-3' speed='1Gf' bw='1GBps' lat='0' ";
  const std::string name = attributes.substr(0, attributes.find('='));
  const std::size_t old = all.find(" " + name + "='");
  if (old != std::string::npos) all.erase(old, all.find('\'', all.find('\'', old) + 1) + 1 - old);
  return mistake_in("<platform version='4.1'>\n<cluster " + all + " " + attributes + "/></platform>");
}

}  // namespace

TEST_CASE("platform mistakes: wrong names are refused", "[simcore][platform]") {
  CHECK_THAT(in_zone("<router id='a'/>"), Contains("'a' is already the name"));
  CHECK_THAT(in_zone("<zone id='z' routing='Full'/>"), Contains("'z' is already the name"));
  CHECK_THAT(in_zone("<link id='l' bandwidth='1Bps'/>"), Contains("'l' is already the name"));
  CHECK_THAT(in_zone("<link id='d_UP' bandwidth='1Bps'/>"), Contains("'d_UP' is already"));
  CHECK_THAT(in_zone("<link id='d' bandwidth='1Bps'/>"), Contains("'d' is already"));
  CHECK_THAT(in_zone("<link id='' bandwidth='1Bps'/>"), Contains("not empty"));
  CHECK_THAT(in_zone("<host id='' speed='1f'/>"), Contains("not empty"));
  CHECK_THAT(in_zone("<host id='c' speed='1f'><disk id='x' read_bw='1Bps' write_bw='1Bps'/>"
                     "<disk id='x' read_bw='1Bps' write_bw='1Bps'/></host>"),
             Contains("'x' is already the name of a disk"));
}

TEST_CASE("platform mistakes: wrong quantities are refused", "[simcore][platform]") {
  CHECK_THAT(in_zone("<link id='m' bandwidth='1KBps'/>"), Contains("did you mean 'kBps'?"));
  CHECK_THAT(in_zone("<host id='c' speed='1GFlops'/>"), Contains("did you mean 'Gflops'?"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='1Bps' latency='1MS'/>"), Contains("'ms'"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='0'/>"), Contains("greater than 0"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='-1MBps'/>"), Contains("must not be negative"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='nan'/>"), Contains("'nan'"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='inf'/>"), Contains("'inf'"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='1e308YBps'/>"), Contains("'1e308YBps'"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='1e300Bps'/>"), Contains("not between"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='1Bps' latency='1e9s'/>"), Contains("not between"));
  CHECK_THAT(in_zone("<link id='m' bandwidth='1Bps' latency='-1us'/>"), Contains("negative"));
  CHECK_THAT(in_zone("<host id='c' speed='0f'/>"), Contains("speed greater than 0"));
  CHECK_THAT(in_zone("<host id='c' speed='1f,'/>"), Contains("''"));
  CHECK_THAT(in_zone("<host id='c' speed='1f' core='0'/>"), Contains("at least one core"));
  CHECK_THAT(in_zone("<host id='c' speed='1f' core='-2'/>"), Contains("'-2'"));
  CHECK_THAT(in_zone("<host id='c' speed='1f' core='99999999999'/>"), Contains("whole number"));
  CHECK_THAT(in_zone("<host id='c' speed='1f' pstate='1'/>"), Contains("pstate 1"));
  CHECK_THAT(in_zone("<host id='c' speed='1f' coordinates='1 2 nan'/>"), Contains("three numbers"));
  CHECK_THAT(in_zone("<host id='c' speed='1f'><disk id='x' read_bw='0' write_bw='1Bps'/></host>"),
             Contains("greater than 0"));
}

TEST_CASE("platform mistakes: wrong routes are refused", "[simcore][platform]") {
  const std::string l = "<link_ctn id='l'/>";
  CHECK_THAT(in_zone("<route src='a' dst='q'>" + l + "</route>"), Contains("dst 'q'"));
  CHECK_THAT(in_zone("<route src='a' dst='z'>" + l + "</route>"), Contains("zoneRoute"));
  CHECK_THAT(in_zone("<route src='a' dst='b'><link_ctn id='d'/></route>"), Contains("UP or DOWN"));
  CHECK_THAT(in_zone("<route src='a' dst='b'><link_ctn id='l' direction='UP'/></route>"), Contains("no direction"));
  CHECK_THAT(in_zone("<route src='a' dst='b'/><route src='b' dst='a'/>"),
             Contains("already a route") && Contains("symmetrical"));
  CHECK_THAT(in_zone("<route src='a' dst='b' symmetrical='perhaps'/>"), Contains("perhaps"));
  CHECK_THAT(in_zone("<zone id='y' routing='Full'><route src='a' dst='b'/></zone>"), Contains("does not lie directly"));
  CHECK_THAT(in_zone("<zone id='y' routing='Full'><host id='c' speed='1f'/></zone>"
                     "<zoneRoute src='y' dst='z' gw_src='c' gw_dst='a'/>"),
             Contains("'z' does not lie"));
  CHECK_THAT(in_zone("<zone id='y' routing='Full'/><zone id='x' routing='Full'/>"
                     "<zoneRoute src='y' dst='x' gw_src='a' gw_dst='b'/>"),
             Contains("'a' is not a host or router inside zone 'y'"));
  CHECK_THAT(in_zone("<route src='a' dst='b'/>", "None"), Contains("Floyd"));
  CHECK_THAT(in_zone("<bypassRoute src='a' dst='a'/>"), Contains("two different ends"));
  CHECK_THAT(in_zone("<zone id='y' routing='Full'><bypassRoute src='a' dst='b'/></zone>"),
             Contains("does not lie in the zone"));
  CHECK_THAT(in_zone("<host_link id='a' up='l' down='l'/>"), Contains("kind Cluster"));
  CHECK_THAT(in_zone("<backbone id='k' bandwidth='1Bps' latency='0'/>"), Contains("backbone"));
  CHECK_THAT(in_zone("<route src='a' dst='b'><prop id='x' value='y'/></route>"), Contains("accepted: link_ctn"));
}

TEST_CASE("platform mistakes: wrong kinds of zones are refused", "[simcore][platform]") {
  CHECK_THAT(in_zone("<zone id='y' routing='Best'/>"), Contains("Best") && Contains("Vivaldi"));
  CHECK_THAT(in_zone("<host id='c' speed='1f'/>", "Vivaldi"), Contains("needs coordinates"));
  CHECK_THAT(in_zone("<peer id='p' speed='1f' bw_in='1Bps' bw_out='1Bps' coordinates='0 0 0'/>"), Contains("Vivaldi"));
  CHECK_THAT(in_zone("<zone id='w' routing='Wifi'/>"), Contains("WIFI"));
  CHECK_THAT(in_zone("<zone id='w' routing='Wifi'><prop id='access_point' value='q'/>"
                     "<link id='air' bandwidth='1Bps' sharing_policy='WIFI'/></zone>"),
             Contains("access_point 'q'"));
  CHECK_THAT(in_zone("<prop id='network/bandwidth-factor' value='2'/>"), Contains("options"));
  CHECK_THAT(in_zone("<storage id='s'/>"), Contains("<disk>"));
  CHECK_THAT(in_zone("<include file='f'/>"), Contains("put included files in place"));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "<zone id='y" + std::to_string(i) + "' routing='Full'>";
  for (int i = 0; i < 200; ++i) deep += "</zone>";
  CHECK_THAT(in_zone(deep), Contains("zones are nested more than"));
}

TEST_CASE("platform mistakes: wrong clusters are refused", "[simcore][platform]") {
  CHECK_THAT(in_cluster("radical='0;3'"), Contains(":2:") && Contains("separated by ','"));
  CHECK_THAT(in_cluster("radical='3-0'"), Contains("0-3,7"));
  CHECK_THAT(in_cluster("radical='0-4000000000'"), Contains("more than 1000000 numbers"));
  CHECK_THAT(in_cluster("radical='0-3,2'"), Contains("'c-2' is already the name"));
  CHECK_THAT(in_cluster("topology='TORUS'"), Contains("topo_parameters"));
  CHECK_THAT(in_cluster("topology='TORUS' topo_parameters='2,3'"), Contains("6 leaves") && Contains("4 hosts"));
  CHECK_THAT(in_cluster("topology='TORUS' topo_parameters='0,3'"), Contains("at least 1"));
  CHECK_THAT(in_cluster("topology='TORUS' topo_parameters='4294967295,4294967295'"), Contains("10^12"));
  CHECK_THAT(in_cluster("topology='TORUS' topo_parameters='2x2'"), Contains("'2x2'"));
  CHECK_THAT(in_cluster("topology='FAT_TREE' topo_parameters='2;4,4;1,2'"), Contains("2;4,4;1,2;1,2"));
  CHECK_THAT(in_cluster("topology='FAT_TREE' topo_parameters='2;4,4;1;1,2'"), Contains("levels"));
  CHECK_THAT(in_cluster("topology='FAT_TREE' topo_parameters='1;4;1;4000000000'"), Contains("cables"));
  CHECK_THAT(in_cluster("topology='DRAGONFLY' topo_parameters='3;4'"), Contains("3,4;4,3;5,1;2"));
  CHECK_THAT(in_cluster("topology='RING'"), Contains("DRAGONFLY"));
  CHECK_THAT(in_cluster("topo_parameters='2,2'"), Contains("topology"));
  CHECK_THAT(in_cluster("loopback_lat='1us'"), Contains("loopback_bw"));
  CHECK_THAT(in_cluster("topology='TORUS' topo_parameters='2,2' bb_bw='1GBps' bb_lat='0'"),
             Contains("only flat clusters"));
}

TEST_CASE("platform mistakes: wrong traces, actors and settings are refused", "[simcore][platform]") {
  CHECK_THAT(in_zone("<host id='c' speed='1f' speed_file='/no/such'/>"), Contains("'/no/such'"));
  CHECK_THAT(in_zone("<trace id='t' periodicity='0'>1 1\n0 1</trace>"), Contains("must not fall"));
  CHECK_THAT(in_zone("<trace_connect kind='SPEED' trace='t' element='a'/>"), Contains("'t'"));
  const std::string t = "<trace id='t' periodicity='0'>0 1</trace>";
  CHECK_THAT(in_zone(t + "<trace_connect kind='SPEED' trace='t' element='l'/>"), Contains("LINK_AVAIL"));
  CHECK_THAT(in_zone(t + "<trace_connect kind='LATENCY' trace='t' element='a'/>"), Contains("HOST_AVAIL"));
  CHECK_THAT(in_zone(t + "<trace_connect kind='SPEED' trace='t' element='a'/>"
                         "<trace_connect kind='SPEED' trace='t' element='a'/>"),
             Contains("already"));
  CHECK_THAT(in_zone(t + t), Contains("already the name of a trace"));
  const auto top = [](const std::string& element) {
    return mistake_in("<platform version='4.1'><zone id='z' routing='Full'><host id='a' "
                      "speed='1f'/></zone>\n" +
                      element + "</platform>");
  };
  CHECK_THAT(top("<actor host='q' function='f'/>"), Contains(":2:") && Contains("no host 'q'"));
  CHECK_THAT(top("<actor host='z' function='f'/>"), Contains("no host 'z'"));
  CHECK_THAT(top("<actor host='' function='f'/>"), Contains("no host ''"));
  CHECK_THAT(top("<actor function='f'/>"), Contains("needs the attribute 'host'"));
  CHECK_THAT(top("<actor host='a' function='f' start_time='5' kill_time='2'/>"), Contains("before"));
  CHECK_THAT(top("<actor host='a' function='f'><disk/></actor>"), Contains("argument, prop"));
  CHECK_THAT(top("<config><prop id='network/model' value='ns-3'/></config>"), Contains("LV08"));
  CHECK_THAT(top("<config><prop id='smpi/host-speed' value='1'/></config>"), Contains("rehearse's options"));
  CHECK_THAT(top("<config><prop id='network/TCP-gamma' value='-1'/></config>"), Contains("-1"));
  CHECK_THAT(top("<host id='b' speed='1f'/>"), Contains("accepted: config, zone, cluster"));
  CHECK_THAT(mistake_in(""), Contains("not"));
  CHECK_THAT(mistake_in("<platform version='4.1'><zone id='z' routing='Full'>"), Contains(":1:"));
}
