"""Features of services, read from a server in another process that behaves or misbehaves. What is right comes from the
formula by which the server makes its points (server.feature), never from the library."""
import threading
import time

import alidade
import pytest

import server as data
from client import MapServer

NUMBERS = {one["id"]: one for one in data.FEATURES}


def in_box(box):
    return sorted(one["id"] for one in data.features_in(box))


def test_all_features_with_their_fields(runtime, address):
    source = alidade.FeatureSource(runtime, address)
    assert source.info.layer_name == "Points"
    assert source.info.extent == alidade.Envelope(*data.EXTENT)
    features = source.query()
    assert sorted(features.ids) == sorted(NUMBERS)
    for id, name, value in zip(features.ids, features.values("name"), features.values("value")):
        assert (name, value) == (NUMBERS[id]["name"], NUMBERS[id]["value"])
    places = features.geometries.columns.xy
    assert [tuple(place) for place in places] == [(NUMBERS[id]["x"], NUMBERS[id]["y"]) for id in features.ids]


def test_a_box_is_asked_for_at_the_server(server, runtime, address):
    source = alidade.FeatureSource(runtime, address)
    server.clear()
    box = (-1.05, -1.05, 1.05, 1.05)
    assert sorted(source.query(envelope=box).ids) == in_box(box)
    asked = [one for one in server.requests() if "bbox=" in one["path"] or "geometry=" in one["path"]]
    assert len(asked) == len(server.requests()) == 1


def test_what_the_host_adds_to_the_query(server, runtime, address):
    source = alidade.FeatureSource(runtime, f"{address}?token=secret")
    assert len(source.query(envelope=(-1, -1, 1, 1))) > 0
    assert all("token=secret" in one["path"] for one in server.requests())
    server.fault("status")
    with pytest.raises(alidade.errors.ReadFailedError) as failure:
        source.query()
    assert "secret" not in str(failure.value)


def test_conditions(runtime, address):
    source = alidade.FeatureSource(runtime, address, definition="value < 10")
    expected = sorted(id for id, one in NUMBERS.items() if one["value"] < 10)
    assert sorted(source.query().ids) == expected
    assert source.count() == len(expected)
    assert sorted(source.query(where="value = 3").ids) == [id for id in expected if NUMBERS[id]["value"] == 3]
    assert len(alidade.FeatureSource(runtime, address).query(limit=10)) == 10


def test_nearest_of_a_service(runtime, address):
    source = alidade.FeatureSource(runtime, address)
    source.build_index()
    [found] = source.nearest((0.31, 0.32), 1)
    assert (NUMBERS[found["feature_id"]]["x"], NUMBERS[found["feature_id"]]["y"]) == (0.3, 0.3)


# MARK: Hosts


def test_hosts_that_are_not_allowed(server, address):
    for hosts in ([], ["example.com"], ["127.0.0.1:1"], ["*.0.0.1:1"]):
        with alidade.Runtime(policy=alidade.Policy(hosts=hosts)) as runtime:
            with pytest.raises(alidade.errors.PolicyRefusedError, match="127.0.0.1"):
                alidade.FeatureSource(runtime, address)
    assert server.requests() == []


@pytest.mark.parametrize("hosts", [["127.0.0.1"], ["*"], ["example.com", "127.0.0.1"]])
def test_hosts_that_are_allowed(address, hosts):
    with alidade.Runtime(policy=alidade.Policy(hosts=hosts)) as runtime:
        assert len(alidade.FeatureSource(runtime, address).query(limit=3)) == 3


@pytest.mark.parametrize("host", ["", "http://a", "a/b", "a b", "*.", "a:0", "a:99999", "a:b", "[", "*a"])
def test_entries_that_are_no_hosts(host):
    with pytest.raises(alidade.errors.InvalidArgumentError, match="hosts"):
        alidade.Runtime(policy=alidade.Policy(hosts=[host]))


def test_redirects_are_checked(server, runtime, address):
    with MapServer() as other:
        server.fault("redirect", count=1, to=other.url + "{path}")
        with pytest.raises(alidade.errors.PolicyRefusedError, match="127.0.0.1"):
            alidade.FeatureSource(runtime, address)
        assert other.requests() == []
        with alidade.Runtime(policy=alidade.Policy(hosts=[server.address, other.address])) as wider:
            server.fault("redirect", count=1, to=other.url + "{path}")
            assert len(alidade.FeatureSource(wider, address).query(limit=5)) == 5
            assert len(other.requests()) == 1


def test_circles_end(server, runtime, address):
    server.fault("redirect", to="self")
    with pytest.raises(alidade.errors.ReadFailedError, match="for ever"):
        alidade.FeatureSource(runtime, address)


def test_links_of_documents_are_checked(server, runtime):
    source = alidade.FeatureSource(runtime, f"{server.url}/oapif/collections/points")
    with MapServer() as other:
        server.set(next_host=other.address)
        with pytest.raises(alidade.errors.PolicyRefusedError):
            source.query()
        assert other.requests() == []


def test_proxies_of_the_environment_are_not_used(runtime, address, monkeypatch):
    with MapServer() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert len(alidade.FeatureSource(runtime, address).query(limit=3)) == 3
        assert proxy.requests() == []


@pytest.mark.parametrize("name", ["sharing/rest/content/items/0123", "home/item.html?id=0123"])
def test_portal_items_are_refused(server, runtime, name):
    with pytest.raises(alidade.errors.UnsupportedError, match="portal item"):
        alidade.FeatureSource(runtime, f"{server.url}/{name}")


@pytest.mark.parametrize("name", ["", "a.txt", "arcgis/rest/services/points/FeatureServer"])
def test_addresses_of_no_service(server, runtime, name):
    with pytest.raises((alidade.errors.UnsupportedError, alidade.errors.InvalidArgumentError), match="FeatureServer/0"):
        alidade.FeatureSource(runtime, f"{server.url}/{name}")


# MARK: Misbehaviour

# The kind of fault, what it is given, and what the message says of it.
FAULTS = [
    ("status", {"text": "The database is being repaired."}, "500.*being repaired"),
    ("status", {"code": 403, "text": "No token."}, "403.*No token"),
    ("html", {}, "Please sign in"),
    ("half", {}, "transfer closed|bytes remaining"),
    ("half_silent", {}, "cannot be read"),
    ("drop", {}, "Empty reply|cannot be read"),
    ("empty", {}, "cannot be read"),
    ("garbage", {}, "cannot be read"),
]


@pytest.mark.parametrize("kind, given, words", FAULTS, ids=[f"{kind} {given.get('code', '')}" for kind, given, _ in FAULTS])
def test_faults_are_errors_with_the_servers_words(server, runtime, address, kind, given, words):
    server.fault(kind, **given)
    with pytest.raises(alidade.errors.ReadFailedError, match=words) as opening:
        alidade.FeatureSource(runtime, address)
    assert opening.value.domain == alidade.errors.ErrorDomain.HTTP or opening.value.domain_code == 0
    server.well()
    source = alidade.FeatureSource(runtime, address)
    server.fault(kind, **given)
    with pytest.raises(alidade.errors.ReadFailedError, match=words):
        source.query()
    server.well()
    assert len(source.query()) == data.FEATURE_COUNT


def test_a_later_page_that_fails(server, runtime, address):
    """What has come so far is not taken for all there is."""
    source = alidade.FeatureSource(runtime, address)
    server.well()
    threading.Timer(0.3, lambda: server.fault("status")).start()
    server.set(delay_ms=200)
    with pytest.raises(alidade.errors.ReadFailedError, match="500"):
        source.query()


def test_errors_of_feature_services_come_with_status_200(server, runtime):
    with pytest.raises(alidade.errors.ReadFailedError, match="FeatureServer/7 not found"):
        alidade.FeatureSource(runtime, f"{server.url}/arcgis/rest/services/points/FeatureServer/7")


def test_what_is_not_there(server, runtime):
    with pytest.raises(alidade.errors.NotFoundError, match="There is nothing at"):
        alidade.FeatureSource(runtime, f"{server.url}/oapif/collections/lines")


def test_a_server_that_is_gone(server, runtime, address):
    server.command("refuse")
    with pytest.raises(alidade.errors.ReadFailedError, match="(?i)connect"):
        alidade.FeatureSource(runtime, address)
    server.well()
    assert len(alidade.FeatureSource(runtime, address).query(limit=1)) == 1


@pytest.mark.parametrize("kind", ["stall", "stall_body"])
def test_servers_that_never_finish_end_at_the_limit(server, address, kind):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address], max_request_ms=400)) as runtime:
        server.fault(kind)
        began = time.monotonic()
        with pytest.raises(alidade.errors.LimitExceededError, match="400 ms"):
            alidade.FeatureSource(runtime, address)
        assert time.monotonic() - began < 5
        server.well()
        assert len(alidade.FeatureSource(runtime, address).query(limit=1)) == 1


@pytest.mark.parametrize("kind", ["giant", "bomb"])
def test_answers_that_are_too_large(server, address, kind):
    with alidade.Runtime(policy=alidade.Policy(hosts=[server.address], max_request_bytes=1 << 24)) as runtime:
        server.fault(kind)
        with pytest.raises(alidade.errors.LimitExceededError, match="16777216"):
            alidade.FeatureSource(runtime, address)


def test_servers_that_ask_for_patience(server, runtime, address):
    server.fault("throttle", count=2, seconds="1")
    began = time.monotonic()
    assert len(alidade.FeatureSource(runtime, address).query(limit=1)) == 1
    assert time.monotonic() - began > 1.9
    server.fault("throttle", seconds="3600")
    with pytest.raises(alidade.errors.ReadFailedError, match="429.*3600"):
        alidade.FeatureSource(runtime, address)


def test_a_cancelled_request_ends_at_the_server(server, runtime, address):
    source = alidade.FeatureSource(runtime, address)
    server.fault("stall")
    request = source.query_async()
    while server.command("counts")["active"] == 0:
        time.sleep(0.01)
    request.cancel()
    with pytest.raises(alidade.errors.RequestCancelledError):
        request.result(5)
    began = time.monotonic()
    # The server sees that the connection is closed when it goes on.
    while server.command("counts")["open"] > 1 and time.monotonic() - began < 5:
        time.sleep(0.05)
    server.well()
    assert len(source.query(limit=1)) == 1


def test_few_requests_at_a_time(server, runtime, address):
    source = alidade.FeatureSource(runtime, address)
    server.set(delay_ms=50)
    requests = [source.query_async(limit=1) for _ in range(20)]
    assert [len(request.result()) for request in requests] == [1] * 20
    assert 2 <= server.command("counts")["most_active"] <= 6


# MARK: What is cut short


@pytest.mark.parametrize("flag", [1, 0])
def test_a_feature_service_without_pages(server, runtime, flag):
    server.set(supports_paging=0, exceeded_flag=flag)
    source = alidade.FeatureSource(runtime, f"{server.url}/arcgis/rest/services/points/FeatureServer/0")
    features = source.query()
    assert len(features) == 2000
    assert "at most 2000" in source.warning and ("there are more" if flag else "there may be more") in source.warning
    # A smaller area fits.
    box = (-1.05, -1.05, 1.05, 1.05)
    assert sorted(source.query(envelope=box).ids) == in_box(box)
    assert source.warning == ""


def test_a_feature_service_that_does_not_say_that_there_is_more(server, runtime):
    server.set(exceeded_flag=0)
    source = alidade.FeatureSource(runtime, f"{server.url}/arcgis/rest/services/points/FeatureServer/0")
    assert len(source.query()) == data.FEATURE_COUNT and source.warning == ""


def test_a_collection_that_ends_early(server, runtime):
    server.set(total_limit=2000)
    source = alidade.FeatureSource(runtime, f"{server.url}/oapif/collections/points")
    assert len(source.query()) == 2000
    assert "5000" in source.warning and "2000" in source.warning
